(* The theorems for the mapping as it is: words of 64 bits, products below 2^56, 64 redraws. *)
From mathcomp Require Import all_ssreflect.
From Talla Require Import Mapping Words Draws Orders Counting.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition words_count := 2 ^ 64.
Definition product_limit := 2 ^ 56.
Definition redraws_max := 64.
Definition outcomes_limit := 2 ^ 128.

Definition talla_values := draw_values words_count product_limit redraws_max outcomes_limit.
Definition talla_order := draw_order words_count product_limit redraws_max.

(* All tapes of N words; and in how many of them a draw with these bounds ends in one outcome. The
   number depends on bounds and N alone: no outcome stands in it. *)
Definition all_tapes := tapes words_count.
Definition tapes_each (bounds : seq nat) (N : nat) : nat :=
  ways words_count redraws_max (batches product_limit bounds) N.

Lemma limit_words : product_limit <= words_count.
Proof. by rewrite /product_limit /words_count leq_exp2l. Qed.

Lemma words_gt0 : 0 < words_count.
Proof. by rewrite /words_count expn_gt0. Qed.

Lemma limit_outcomes : product_limit < outcomes_limit.
Proof. by rewrite /product_limit /outcomes_limit ltn_exp2l. Qed.

Global Opaque words_count product_limit outcomes_limit redraws_max.

Lemma legal_wheel L W n : 0 < n -> n < L -> L < W -> legal_draw L W (bounds_of (Wheel n)).
Proof.
move=> h0 hL hW; rewrite /legal_draw /legal_bounds /= h0 hL muln1 /=.
exact: ltn_trans hL hW.
Qed.

(* 1. One batch: each digit vector has exactly floor(2^64 / P) accepted words. *)
Theorem each_digit_vector_has_as_many_words bounds ds :
  all (leq 1) bounds -> product bounds < product_limit -> below bounds ds ->
  count (fun w => ((digits words_count bounds w).1 == ds) && accepted words_count bounds w)
    (iota 0 words_count) = words_count %/ product bounds.
Proof.
move=> h hp; apply: (batch_uniform h); exact: leq_trans (ltnW hp) limit_words.
Qed.

(* 2. Batches partition the bounds, in order and greedily. *)
Theorem batches_partition bounds : legal_bounds product_limit bounds ->
  [/\ flatten (batches product_limit bounds) = bounds,
      all (fun b => (b != [::]) && (product b < product_limit)) (batches product_limit bounds) &
      greedy product_limit (batches product_limit bounds)].
Proof. by move=> h; split; [apply: batches_flatten|apply: batches_below|apply: batches_greedy]. Qed.

(* 3. A whole draw: the same number of tapes for each vector of legal digits; and at least one, as
   soon as a tape has a word a batch. *)
Theorem each_draw_has_as_many_tapes bounds ds N :
  legal_bounds product_limit bounds -> below bounds ds ->
  count (fun t => result_is ds (draw words_count product_limit redraws_max bounds t))
    (all_tapes N) = tapes_each bounds N.
Proof.
move=> h hd; rewrite /tapes_each -(draw_uniform redraws_max N limit_words h hd).
by apply: eq_count => t; case: (draw _ _ _ _ t) => [es u r rest| | |] //=; rewrite andbT.
Qed.

Theorem each_draw_is_reached bounds N : legal_bounds product_limit bounds ->
  size (batches product_limit bounds) <= N -> 0 < tapes_each bounds N.
Proof.
move=> h; exact: (ways_gt0 redraws_max words_gt0 (draw_legal_batches limit_words h)).
Qed.

(* 4. Fisher-Yates: digit vectors and orders match one to one, for every n. *)
Theorem each_order_has_one_digit_vector n s : perm_eq s (iota 0 n) ->
  exists! ds, below (shuffle_bounds n) ds /\ order_of n ds = s.
Proof.
move=> p; have [ds l e] := order_onto p; exists ds; split; first by [].
by move=> es [l' e']; apply: (order_inj l l'); rewrite e e'.
Qed.

Lemma shuffle_legal n : n < product_limit -> legal_bounds product_limit (shuffle_bounds n).
Proof.
move=> hn; apply/allP => b; rewrite mem_iota => /andP[h2 hb].
have hbn : b <= n.
  case: n hn hb => [|m] hn hb; first by have := leq_trans hb h2; rewrite ltnn.
  by move: hb; rewrite /= add2n ltnS.
by rewrite (leq_ltn_trans hbn hn) andbT; apply: leq_trans h2.
Qed.

(* 5. Each order of n items has exactly as many tapes as each other. *)
Theorem each_order_has_as_many_tapes n s N : n < product_limit -> perm_eq s (iota 0 n) ->
  count (fun t => result_is s (talla_order n t)) (all_tapes N) = tapes_each (shuffle_bounds n) N.
Proof.
move=> hn p; have [ds l e] := order_onto p.
rewrite -(each_draw_has_as_many_tapes N (shuffle_legal hn) l).
apply: eq_in_count => t /tapes_words/andP[_ ht]; rewrite /talla_order /draw_order.
case ed: (draw _ _ _ _ t) => [es u r rest| | |] //=.
have l' := draw_below words_gt0 (shuffle_legal hn) ht ed.
apply/idP/idP => /eqP h; last by rewrite h e.
by apply/eqP; apply: (order_inj l' l); rewrite h e.
Qed.

Lemma order_in_permutations n N t : n < product_limit -> t \in all_tapes N ->
  forall s, result_is s (talla_order n t) -> s \in permutations (iota 0 n).
Proof.
move=> hn /tapes_words/andP[_ ht] s; rewrite /talla_order /draw_order.
case ed: (draw _ _ _ _ t) => [es u r rest| | |] //= /eqP<-.
rewrite mem_permutations; apply: order_perm.
exact: draw_below words_gt0 (shuffle_legal hn) ht ed.
Qed.

Lemma orders_with (p : pred (seq nat)) n N : n < product_limit ->
  count (fun t => result_in p (talla_order n t)) (all_tapes N) =
  count p (permutations (iota 0 n)) * tapes_each (shuffle_bounds n) N.
Proof.
move=> hn; apply: (@count_by _ (talla_order n)).
- exact: permutations_uniq.
- by move=> t ht s; apply: order_in_permutations hn ht s.
- by move=> s; rewrite mem_permutations; apply: each_order_has_as_many_tapes.
Qed.

(* 6. Cards: whatever the copies in the deck, each arrangement of its faces has as many tapes as
   each other; and nothing but the deck's own multiset comes. *)
Theorem each_arrangement_has_as_many_tapes (T : eqType) (x0 : T) (deck f g : seq T) N :
  size deck < product_limit -> perm_eq f deck -> perm_eq g deck ->
  count (fun t => result_in (fun o => faces x0 deck o == f) (talla_order (size deck) t))
    (all_tapes N) =
  count (fun t => result_in (fun o => faces x0 deck o == g) (talla_order (size deck) t))
    (all_tapes N).
Proof.
by move=> hn pf pg; rewrite !orders_with // (arrangements_equal x0 pf pg).
Qed.

Theorem faces_keep_the_multiset (T : eqType) (x0 : T) (deck : seq T) o :
  perm_eq o (iota 0 (size deck)) -> perm_eq (faces x0 deck o) deck.
Proof. by move=> p; apply/(perm_iotaP x0); exists o. Qed.

(* 7. The mix. A uniform order under any mixes stays uniform; any order under mixes of which one is
   uniform is uniform: whichever of the list it is, before and behind it stand any others. *)
Definition dealt (order : seq nat) (mixes : seq (seq nat)) : seq nat := foldl mixed order mixes.

Theorem a_uniform_order_stays_uniform_under_any_mixes n (mixes : seq (seq nat)) s N :
  n < product_limit -> all (fun m => perm_eq m (iota 0 n)) mixes -> perm_eq s (iota 0 n) ->
  count (fun t => result_in (fun o => dealt o mixes == s) (talla_order n t)) (all_tapes N) =
  tapes_each (shuffle_bounds n) N.
Proof.
move=> hn hm ps; rewrite orders_with //.
rewrite (@count_one _ (permutations (iota 0 n)) (fun o => dealt o mixes)) ?mul1n //.
- exact: permutations_uniq.
- exact: dealt_inj hm.
- by move=> o; rewrite !mem_permutations => po; exact: (dealt_perm hm po).
- by rewrite mem_permutations.
Qed.

Theorem any_order_is_uniform_under_one_uniform_mix n o (before after : seq (seq nat)) s N :
  n < product_limit -> perm_eq o (iota 0 n) ->
  all (fun m => perm_eq m (iota 0 n)) before -> all (fun m => perm_eq m (iota 0 n)) after ->
  perm_eq s (iota 0 n) ->
  count (fun t => result_in (fun m => dealt o (before ++ m :: after) == s) (talla_order n t))
    (all_tapes N) = tapes_each (shuffle_bounds n) N.
Proof.
move=> hn po hb ha ps; rewrite orders_with //; have pa := dealt_perm hb po.
rewrite (@count_one _ (permutations (iota 0 n)) (fun m => dealt o (before ++ m :: after)))
  ?mul1n //.
- exact: permutations_uniq.
- move=> m m' hm hm'; rewrite /dealt !foldl_cat /= => h.
  apply: (mixed_inj pa hm hm'); apply: (dealt_inj ha _ _ h);
    by rewrite mem_permutations mixed_perm // -mem_permutations.
- move=> m; rewrite !mem_permutations => pm; apply: (dealt_perm _ po).
  by rewrite all_cat hb /= pm.
- by rewrite mem_permutations.
Qed.

(* 8. Wheel, dice, lots: each value has as many tapes as each other. *)
Theorem each_value_has_as_many_tapes (what : specification) ds N :
  legal_draw product_limit outcomes_limit (bounds_of what) -> below (bounds_of what) ds ->
  count (fun t => result_is (values_of what ds) (talla_values what t)) (all_tapes N) =
  tapes_each (bounds_of what) N.
Proof.
move=> hl hd; have /andP[hb _] := hl.
rewrite -(each_draw_has_as_many_tapes N hb hd); apply: eq_count => t.
rewrite /talla_values /draw_values hl; case: (draw _ _ _ _ t) => [es u r rest| | |] //=.
by case: (what) => [n|k m|bs] //=; rewrite (inj_eq (inj_map succn_inj)).
Qed.

Theorem each_pocket_has_as_many_tapes n i N : n < product_limit -> i < n ->
  count (fun t => result_is [:: i] (talla_values (Wheel n) t)) (all_tapes N) =
  tapes_each [:: n] N.
Proof.
move=> hn hi.
have hl := legal_wheel (leq_ltn_trans (leq0n i) hi) hn limit_outcomes.
have hb : below (bounds_of (Wheel n)) [:: i] by rewrite /= hi.
exact: (each_value_has_as_many_tapes N hl hb).
Qed.
