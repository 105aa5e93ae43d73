(* A whole draw: batches partition the bounds; over all tapes of N words, redraws, exhaustion and
   faults included, every sequence of legal digits has the same number of tapes. *)
From mathcomp Require Import all_ssreflect.
From Talla Require Import Mapping Words.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* Batches: in order, nothing lost, none empty, products below the limit, and none could have taken
   the next bound too. *)
Lemma batches_from_flatten L batch bounds :
  flatten (batches_from L batch bounds) = batch ++ bounds.
Proof.
elim: bounds batch => [|b rest IH] batch /=; first by [].
by case: ifP => _ /=; rewrite IH ?cat_rcons.
Qed.

Theorem batches_flatten L bounds : flatten (batches L bounds) = bounds.
Proof. by case: bounds => //= b rest; rewrite batches_from_flatten. Qed.

Theorem batches_below L bounds : legal_bounds L bounds ->
  all (fun batch => (batch != [::]) && (product batch < L)) (batches L bounds).
Proof.
case: bounds => //= b rest /andP[/andP[_ bL] h].
have: ([:: b] != [::]) && (product [:: b] < L) by rewrite /= muln1.
elim: rest [:: b] h => [|c rest IH] batch /=; first by move=> _ ->.
move=> /andP[/andP[_ cL] h] hb; case: ifP => hp /=; last by rewrite hb IH //= muln1.
by by apply: IH => //; rewrite hp andbT -size_eq0 size_rcons.
Qed.

Fixpoint greedy L (bs : seq (seq nat)) : bool :=
  if bs is batch :: more then
    (if more is (b :: _) :: _ then L <= product (rcons batch b) else true) && greedy L more
  else true.

Theorem batches_greedy L bounds : greedy L (batches L bounds).
Proof.
have head b batch rest : exists tail more, batches_from L (b :: batch) rest = (b :: tail) :: more.
  elim: rest batch => [|c rest IH] batch /=; first by exists batch, [::].
  case: ifP => _; first exact: IH.
  by exists batch, (batches_from L [:: c] rest).
case: bounds => //= b rest; elim: rest [:: b] => [|c rest IH] batch //=.
case: ifP => hp; first exact: IH.
have [tail [more e]] := head c [::] rest.
have g := IH [:: c]; rewrite e in g *; rewrite /= leqNgt hp; exact: g.
Qed.

(* All tapes of N words. *)
Fixpoint tapes M N : seq (seq nat) :=
  if N is N'.+1 then [seq w :: t | w <- iota 0 M, t <- tapes M N'] else [:: [::]].

Lemma tapesS M N : tapes M N.+1 = [seq w :: t | w <- iota 0 M, t <- tapes M N].
Proof. by []. Qed.

Lemma count_allpairs_cons (p : pred (seq nat)) (s : seq nat) (ts : seq (seq nat)) :
  count p [seq w :: t | w <- s, t <- ts] = sumn [seq count (fun t => p (w :: t)) ts | w <- s].
Proof. by elim: s => [|w s IH] //; rewrite allpairs_cons count_cat count_map /= IH. Qed.

Lemma size_tapes M N : size (tapes M N) = M ^ N.
Proof. by elim: N => //= N IH; rewrite size_allpairs size_iota IH expnS. Qed.

Lemma tapes_words M N t : t \in tapes M N -> (size t == N) && all (fun w => w < M) t.
Proof.
elim: N t => [|N IH] t /=; first by rewrite inE => /eqP->.
case/allpairsP=> [[w t']] /= [hw /IH/andP[/eqP st at'] ->] /=.
by rewrite st eqxx at'; move: hw; rewrite mem_iota add0n => /andP[_ ->].
Qed.

(* Does a draw give these digits, and does the tape left please p? *)
Definition gives (ds : seq nat) (p : pred (seq nat)) (d : drawn) : bool :=
  if d is Drawn es _ _ rest then (es == ds) && p rest else false.
Definition result (d : drawn) : seq nat := if d is Drawn es _ _ _ then es else [::].
Definition succeeded (d : drawn) : bool := if d is Drawn _ _ _ _ then true else false.

(* The tapes of N words behind which one batch of product P gives one sequence of digits and the
   next words go on in k(words left) ways: the accepted word comes first, or behind refused ones. *)
Fixpoint batch_ways M (P refused left : nat) (k : nat -> nat) (N : nat) {struct N} : nat :=
  if N is N'.+1 then
    M %/ P * k N' + (if left is l.+1 then refused * batch_ways M P refused l k N' else 0)
  else 0.

Definition refused_words M bs := count (fun w => ~~ accepted M bs w) (iota 0 M).

Fixpoint ways M R (bs : seq (seq nat)) (N : nat) : nat :=
  if bs is batch :: more then
    batch_ways M (product batch) (refused_words M batch) R (ways M R more) N
  else M ^ N.

Lemma sumn_two (s : seq nat) (a b : pred nat) (x y : nat) :
  {in s, forall w, ~~ (a w && b w)} ->
  sumn [seq (if a w then x else if b w then y else 0) | w <- s] = count a s * x + count b s * y.
Proof.
elim: s => //= w s IH h; rewrite IH; last by move=> v hv; apply: h; rewrite inE hv orbT.
have := h w (mem_head _ _); case: (a w); case: (b w) => //= _;
  rewrite ?add0n ?add1n ?mulSn.
- by rewrite addnA.
- by rewrite addnCA.
Qed.

Lemma batch_ways_count M bs ds p k left used N :
  all (leq 1) bs -> product bs <= M -> below bs ds ->
  (forall n, count p (tapes M n) = k n) ->
  count (fun t => gives ds p (draw_batch M bs left used t)) (tapes M N) =
    batch_ways M (product bs) (refused_words M bs) left k N.
Proof.
move=> hb PM bd hk; elim: N left used => [|N IH] left used; first by [].
rewrite tapesS count_allpairs_cons [batch_ways _ _ _ _ _ N.+1]/=.
pose x := k N; pose y := if left is l.+1
  then batch_ways M (product bs) (refused_words M bs) l k N else 0.
pose a w := ((digits M bs w).1 == ds) && accepted M bs w.
pose b w := ~~ accepted M bs w.
transitivity (sumn [seq (if a w then x else if b w then y else 0) | w <- iota 0 M]).
  congr sumn; apply: eq_map => w; rewrite /a /b /accepted /=.
  case acc: (M %% product bs <= (digits M bs w).2); last first.
    rewrite andbF /= /y; case: (left) => [|l]; first exact: count_pred0.
    exact: IH.
  rewrite andbT /=; case: ((digits M bs w).1 == ds) => /=; last exact: count_pred0.
  by rewrite /x -hk; apply: eq_count.
rewrite sumn_two; last by move=> w _; rewrite /a /b; case: (accepted M bs w); rewrite ?andbF.
have -> : count a (iota 0 M) = M %/ product bs by exact: batch_uniform.
congr (_ + _); rewrite /y; case: (left) => [|l] //.
by rewrite muln0.
Qed.

Lemma below_cat bs cs ds : below (bs ++ cs) ds ->
  exists es fs, [/\ ds = es ++ fs, below bs es & below cs fs].
Proof.
elim: bs ds => [|b bs IH] ds /=; first by exists [::], ds.
case: ds => // d ds /andP[hd /IH[es [fs [-> he hf]]]].
by exists (d :: es), fs; rewrite /= hd.
Qed.

Lemma below_size bs ds : below bs ds -> size ds = size bs.
Proof. by elim: bs ds => [|b bs IH] [|d ds] //= /andP[_ /IH ->]. Qed.

Lemma digits_size M bs w : size (digits M bs w).1 = size bs.
Proof. by elim: bs w => //= b bs IH w; rewrite IH. Qed.

Lemma draw_batch_size M bs left used t ds u r rest :
  draw_batch M bs left used t = Drawn ds u r rest -> size ds = size bs.
Proof.
elim: t left used => //= w t IH left used; case: ifP => _.
  by case=> <- _ _ _; apply: digits_size.
by case: left => // left /IH.
Qed.

(* THE DRAW: exactly ways(N) tapes for each sequence of legal digits, whatever it is. *)
Lemma draw_batches_ways M R bs ds N :
  all (fun b => all (leq 1) b && (product b <= M)) bs -> below (flatten bs) ds ->
  count (fun t => gives ds predT (draw_batches M R bs t)) (tapes M N) = ways M R bs N.
Proof.
move=> h; elim: bs h ds N => [|batch more IH] /=.
  move=> _ [] // N _; rewrite -size_tapes -count_predT.
  by apply: eq_count => t.
move=> /andP[/andP[hb PM] /IH{}IH] ds N /below_cat[es [fs [-> be bf]]].
rewrite -(@batch_ways_count M batch es (fun t => gives fs predT (draw_batches M R more t))
  _ R 0 N hb PM be); last by move=> n; apply: IH.
apply: eq_count => t; case e: (draw_batch M batch R 0 t) => [ds' u r rest| | |] //=.
case: (draw_batches M R more rest) => [es' u' r' rest'| | |] /=; rewrite ?andbF //.
by rewrite !andbT eqseq_cat // (draw_batch_size e) -(below_size be).
Qed.

Lemma draw_legal_batches M L bounds : L <= M -> legal_bounds L bounds ->
  all (fun b => all (leq 1) b && (product b <= M)) (batches L bounds).
Proof.
move=> LM h; have hp := batches_below h.
have h1 : all (leq 1) (flatten (batches L bounds)).
  by rewrite batches_flatten; apply: sub_all h => b /andP[].
elim: (batches L bounds) hp h1 => //= b bs IH /andP[/andP[_ bL] hp].
rewrite all_cat => /andP[-> h1]; rewrite IH // andbT /=.
exact: leq_trans (ltnW bL) LM.
Qed.

Theorem draw_uniform M L R bounds ds N : L <= M -> legal_bounds L bounds -> below bounds ds ->
  count (fun t => gives ds predT (draw M L R bounds t)) (tapes M N) = ways M R (batches L bounds) N.
Proof.
move=> LM h bd; apply: draw_batches_ways; first exact: draw_legal_batches LM h.
by rewrite batches_flatten.
Qed.

(* Every digit that is drawn at all is legal. *)
Lemma draw_batch_below M bs left used t ds u r rest : 0 < M -> all (leq 1) bs ->
  all (fun w => w < M) t -> draw_batch M bs left used t = Drawn ds u r rest ->
  below bs ds && all (fun w => w < M) rest.
Proof.
move=> M0 hb; elim: t left used => //= w t IH left used /andP[hw ht]; case: ifP => _.
  by case=> <- _ _ <-; rewrite digits_below // ht.
by case: left => // left /(IH _ _ ht).
Qed.

Lemma below_cat_in bs cs ds es : below bs ds -> below cs es -> below (bs ++ cs) (ds ++ es).
Proof. by elim: bs ds => [|b bs IH] [|d ds] //= /andP[-> /IH h] /h. Qed.

Theorem draw_below M L R bounds t ds u r rest : 0 < M -> legal_bounds L bounds ->
  all (fun w => w < M) t -> draw M L R bounds t = Drawn ds u r rest -> below bounds ds.
Proof.
move=> M0 h; have h1 : all (leq 1) (flatten (batches L bounds)).
  by rewrite batches_flatten; apply: sub_all h => b /andP[].
rewrite /draw -{2}(batches_flatten L bounds).
elim: (batches L bounds) h1 t ds u r rest => [|batch more IH] /=.
  by move=> _ t ds u r rest _ [<-].
rewrite all_cat => /andP[hb /IH{}IH] t ds u r rest ht.
case e: (draw_batch M batch R 0 t) => [ds' u1 r1 rest1| | |] //.
have /andP[bd hrest] := draw_batch_below M0 hb ht e.
case e2: (draw_batches M R more rest1) => [es u2 r2 rest2| | |] // [<- _ _ _].
by apply: below_cat_in bd _; apply: IH hrest e2.
Qed.

(* And it is drawn: a tape of at least one word a batch reaches every sequence of digits. *)
Theorem ways_gt0 M R bs N : 0 < M -> all (fun b => all (leq 1) b && (product b <= M)) bs ->
  size bs <= N -> 0 < ways M R bs N.
Proof.
move=> M0; elim: bs N => [|b bs IH] N /=; first by rewrite expn_gt0 M0.
case: N => [|N] /andP[/andP[hb PM] h] hs; first by rewrite ltn0 in hs.
by rewrite /= addn_gt0 muln_gt0 divn_gt0 ?product_gt0 // PM IH.
Qed.
