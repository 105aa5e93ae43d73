(* The text of talla-map-v1 (shuffle/MAPPING.md) as definitions, sentence by sentence. *)
(* mathcomp 1.15, Coq 8.16. M is the number of words, 2^64; L the limit of products, 2^56; R the
   redraws of one batch, 64. They are arguments, so that nothing is ever computed with them. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition product (bounds : seq nat) := foldr muln 1 bounds.

(* "Bounds are taken in order: a batch starts with the first bound left over and takes the next one
   as long as the product of all its bounds stays below 2^56. An empty list takes no word." *)
Fixpoint batches_from L (batch bounds : seq nat) : seq (seq nat) :=
  if bounds is b :: rest then
    if product (rcons batch b) < L then batches_from L (rcons batch b) rest
    else batch :: batches_from L [:: b] rest
  else [:: batch].

Definition batches L (bounds : seq nat) : seq (seq nat) :=
  if bounds is b :: rest then batches_from L [:: b] rest else [::].

(* "For i = 0 ... k - 1: m = r * b_i; digit_i = m / 2^64; r = m mod 2^64." With the last r. *)
Fixpoint digits M (bounds : seq nat) (r : nat) : seq nat * nat :=
  if bounds is b :: rest then
    let m := r * b in
    let t := digits M rest (m %% M) in (m %/ M :: t.1, t.2)
  else ([::], r).

(* What a draw gives: digits, words used, words refused and the tape left; or why there is none. *)
Inductive drawn :=
  | Drawn of seq nat & nat & nat & seq nat
  | Exhausted
  | Fault
  | Refused.

(* "Take the next word as r ... If r < 2^64 mod P, drop the digits and do the same with the next
   word. After 64 redraws of one batch the next refusal is a generator fault." *)
Fixpoint draw_batch M (bounds : seq nat) (redraws_left used : nat) (tape : seq nat)
  {struct tape} : drawn :=
  if tape is word :: rest then
    let t := digits M bounds word in
    if M %% product bounds <= t.2 then Drawn t.1 used.+1 used rest
    else if redraws_left is n.+1 then draw_batch M bounds n used.+1 rest
    else Fault
  else Exhausted.

Fixpoint draw_batches M R (bs : seq (seq nat)) (tape : seq nat) : drawn :=
  if bs is batch :: more then
    match draw_batch M batch R 0 tape with
    | Drawn ds used refused rest =>
        match draw_batches M R more rest with
        | Drawn es used' refused' rest' =>
            Drawn (ds ++ es) (used + used') (refused + refused') rest'
        | failed => failed
        end
    | failed => failed
    end
  else Drawn [::] 0 0 tape.

Definition draw M L R (bounds : seq nat) (tape : seq nat) : drawn :=
  draw_batches M R (batches L bounds) tape.

(* "swap positions i and j" *)
Definition swap (T : Type) (x0 : T) (s : seq T) (i j : nat) : seq T :=
  set_nth x0 (set_nth x0 s i (nth x0 s j)) j (nth x0 s i).

(* "For i = 1 ... n - 1 in this order: j is the digit drawn below i + 1; swap positions i and j." *)
Fixpoint swaps (T : Type) (x0 : T) (i : nat) (ds : seq nat) (s : seq T) : seq T :=
  if ds is j :: rest then swaps x0 i.+1 rest (swap x0 s i j) else s.

(* "Bounds are 2, 3, ..., n." *)
Definition shuffle_bounds (n : nat) : seq nat := iota 2 n.-1.

(* An order is the list of the items' starting positions. *)
Definition order_of (n : nat) (ds : seq nat) : seq nat := swaps 0 1 ds (iota 0 n).

(* The cards at those positions: "starting order: deck by deck". *)
Definition faces (T : Type) (x0 : T) (deck : seq T) (order : seq nat) : seq T :=
  [seq nth x0 deck i | i <- order].

(* "dealt position p is leaf mix(p)" *)
Definition mixed (order mix : seq nat) : seq nat := [seq nth 0 order p | p <- mix].

(* "Wheel: one draw below n, the index. Dice: one draw of k bounds s, faces = digits + 1, in order.
   Lots: one draw with all bounds." *)
Inductive specification := Wheel of nat | Dice of nat & nat | Lots of seq nat.

Definition bounds_of (what : specification) : seq nat :=
  match what with Wheel n => [:: n] | Dice k s => nseq k s | Lots bounds => bounds end.

Definition values_of (what : specification) (ds : seq nat) : seq nat :=
  if what is Dice _ _ then [seq d.+1 | d <- ds] else ds.

(* "A draw is a list of bounds, each in [1, 2^56)"; "Draws (not shuffles) stay below 2^128
   outcomes": W is 2^128. *)
Definition legal_bounds L (bounds : seq nat) : bool := all (fun b => (0 < b) && (b < L)) bounds.
Definition legal_draw L W (bounds : seq nat) : bool :=
  legal_bounds L bounds && (product bounds < W).

Definition draw_values M L R W (what : specification) (tape : seq nat) : drawn :=
  if legal_draw L W (bounds_of what) then
    match draw M L R (bounds_of what) tape with
    | Drawn ds used refused rest => Drawn (values_of what ds) used refused rest
    | failed => failed
    end
  else Refused.

Definition draw_order M L R (n : nat) (tape : seq nat) : drawn :=
  match draw M L R (shuffle_bounds n) tape with
  | Drawn ds used refused rest => Drawn (order_of n ds) used refused rest
  | failed => failed
  end.
