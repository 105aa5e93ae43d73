(* One batch, one word: every sequence of legal digits has exactly floor(M / P) accepted words. *)
From mathcomp Require Import all_ssreflect.
From Talla Require Import Mapping.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition accepted M bs w := M %% product bs <= (digits M bs w).2.

(* Digits are legal: as many as bounds, each below its own. *)
Fixpoint below (bs ds : seq nat) : bool :=
  match bs, ds with
  | [::], [::] => true
  | b :: bs', d :: ds' => (d < b) && below bs' ds'
  | _, _ => false
  end.

(* Mixed-radix value of a digit sequence. *)
Fixpoint value (bs ds : seq nat) : nat :=
  match bs, ds with b :: bs', d :: ds' => d * product bs' + value bs' ds' | _, _ => 0 end.

Lemma product_gt0 bs : all (leq 1) bs -> 0 < product bs.
Proof. by elim: bs => //= b bs IH /andP[hb /IH h]; rewrite muln_gt0 hb. Qed.

(* One word, all digits: w * P = value * M + rest, and the rest is below M. *)
Lemma digits_value M bs w : 0 < M -> w < M ->
  w * product bs = value bs (digits M bs w).1 * M + (digits M bs w).2 /\ (digits M bs w).2 < M.
Proof.
move=> M0; elim: bs w => [|b bs IH] w ltw /=; first by rewrite muln1.
have [e l] := IH ((w * b) %% M) (ltn_pmod _ M0); split=> //.
rewrite mulnA {1}(divn_eq (w * b) M) mulnDl e mulnDl addnA; congr (_ + _ + _).
by rewrite mulnAC.
Qed.

Lemma digits_below M bs w : all (leq 1) bs -> 0 < M -> w < M -> below bs (digits M bs w).1.
Proof.
move=> hb M0; elim: bs hb w => [|b bs IH] //= /andP[hb /IH h] w ltw.
by rewrite h ?ltn_pmod // andbT ltn_divLR // mulnC ltn_pmul2l.
Qed.

Lemma value_lt bs ds : all (leq 1) bs -> below bs ds -> value bs ds < product bs.
Proof.
elim: bs ds => [|b bs IH] [|d ds] //= /andP[hb ha] /andP[hd /(IH _ ha) h].
apply: (@leq_trans (d.+1 * product bs)); last by rewrite leq_mul2r hd orbT.
by rewrite mulSn addnC ltn_add2r.
Qed.

Lemma value_inj bs ds es : all (leq 1) bs -> below bs ds -> below bs es ->
  value bs ds = value bs es -> ds = es.
Proof.
elim: bs ds es => [|b bs IH] [|d ds] [|e es] //= /andP[hb ha] /andP[hd bd] /andP[he be] E.
have P0 := product_gt0 ha.
have Ed : d = e.
  have := congr1 (fun x => x %/ product bs) E.
  by rewrite /= !divnMDl // !divn_small ?value_lt // !addn0.
by rewrite Ed in E *; congr (_ :: _); apply: IH => //; move/addnI: E.
Qed.

(* A half-open interval of length P * q holds exactly q multiples of P. *)
Lemma count_between (c q N : nat) : c + q <= N ->
  count (fun w => (c <= w) && (w < c + q)) (iota 0 N) = q.
Proof.
move=> h; rewrite -(subnKC h) -addnA !iotaD !count_cat !add0n.
have z1 : count (fun w => (c <= w) && (w < c + q)) (iota 0 c) = 0.
  rewrite (@eq_in_count _ _ pred0) ?count_pred0 // => w; rewrite mem_iota add0n /= => hw.
  by rewrite leqNgt hw.
have z2 : count (fun w => (c <= w) && (w < c + q)) (iota c q) = q.
  rewrite (@eq_in_count _ _ predT) ?count_predT ?size_iota // => w.
  by rewrite mem_iota.
have z3 : count (fun w => (c <= w) && (w < c + q)) (iota (c + q) (N - (c + q))) = 0.
  rewrite (@eq_in_count _ _ pred0) ?count_pred0 // => w; rewrite mem_iota => /andP[hw _].
  by rewrite [w < _]ltnNge hw andbF.
by rewrite z1 z2 z3 add0n addn0.
Qed.

Definition ceil (a P : nat) := (a + P.-1) %/ P.

Lemma ceil_le P a w : 0 < P -> (a <= w * P) = (ceil a P <= w).
Proof.
case: P => // P _; rewrite /ceil -[RHS]ltnS ltn_divLR // mulSn /=.
by rewrite addSn ltnS addnC leq_add2l.
Qed.

Lemma multiples P q a N : 0 < P -> a + P * q <= P * N ->
  count (fun w => (a <= w * P) && (w * P < a + P * q)) (iota 0 N) = q.
Proof.
move=> P0 h.
have e : ceil (a + P * q) P = ceil a P + q.
  by rewrite /ceil addnAC [P * q]mulnC [_ + q * P]addnC divnMDl // addnC.
rewrite -[RHS](@count_between (ceil a P) q N); last first.
  by rewrite -e -(ceil_le _ _ P0) [N * P]mulnC.
apply: eq_count => w /=; rewrite (ceil_le a w P0); congr (_ && _).
by rewrite ltnNge (ceil_le _ _ P0) e -ltnNge.
Qed.

(* The counting lemma. *)
Theorem batch_uniform M bs ds : all (leq 1) bs -> product bs <= M -> below bs ds ->
  count (fun w => ((digits M bs w).1 == ds) && accepted M bs w) (iota 0 M) = M %/ product bs.
Proof.
move=> hb PM bd; set P := product bs.
have P0 : 0 < P by apply: product_gt0.
have M0 : 0 < M by apply: leq_trans PM.
have vlt := value_lt hb bd.
pose a := value bs ds * M + M %% P.
have len : a + P * (M %/ P) = (value bs ds).+1 * M.
  by rewrite /a -addnA [P * _]mulnC [M %% P + _]addnC -divn_eq mulSn addnC.
rewrite -[RHS](@multiples P (M %/ P) a M P0); last first.
  by rewrite len leq_mul2r vlt orbT.
apply: eq_in_count => w; rewrite mem_iota add0n /= => ltw.
have [e l] := digits_value bs M0 ltw.
rewrite len /accepted -/P /a.
have bw := digits_below hb M0 ltw.
rewrite [w * P]e.
apply/andP/andP => [[/eqP-> acc]|[lo hi]].
  by rewrite leq_add2l acc mulSn [M + _]addnC ltn_add2l.
have v : value bs (digits M bs w).1 = value bs ds.
  apply/eqP; rewrite eqn_leq -[X in X && _]ltnS -[X in _ && X]ltnS; apply/andP; split.
    by rewrite -(ltn_pmul2r M0); apply: leq_ltn_trans hi; apply: leq_addr.
  rewrite -(ltn_pmul2r M0).
  apply: (@leq_ltn_trans (value bs ds * M + M %% P)); first exact: leq_addr.
  by apply: (leq_ltn_trans lo); rewrite mulSn addnC ltn_add2r.
split; first by apply/eqP; apply: (value_inj hb bw bd v).
by move: lo; rewrite v leq_add2l.
Qed.
