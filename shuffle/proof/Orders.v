(* Fisher-Yates on lists: legal digit sequences and orders match one to one, for every n. *)
From mathcomp Require Import all_ssreflect.
From Talla Require Import Mapping Words Draws.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* Where the item that a swap puts at position k came from. *)
Definition other (i j k : nat) := if k == j then i else if k == i then j else k.

Lemma otherK i j : involutive (other i j).
Proof.
move=> k; rewrite /other; case: (k =P j) => [->|kj].
  by case: (i =P j) => [->|_] //; rewrite eqxx.
case: (k =P i) => [->|ki]; first by rewrite eqxx.
by rewrite (introF eqP kj) (introF eqP ki).
Qed.

Lemma other_ltn n i j k : i < n -> j < n -> (other i j k < n) = (k < n).
Proof.
move=> hi hj; rewrite /other; case: eqP => [->|_]; first by rewrite hi hj.
by case: eqP => [->|_]; first by rewrite hi hj.
Qed.

Lemma other_out n i j k : i < n -> j < n -> n <= k -> other i j k = k.
Proof.
by move=> hi hj hk; rewrite /other !gtn_eqF //; [apply: leq_trans hi hk | apply: leq_trans hj hk].
Qed.

Section Items.
Variables (T : eqType) (x0 : T).
Implicit Types s u : seq T.

Lemma nth_swap s i j k : nth x0 (swap x0 s i j) k = nth x0 s (other i j k).
Proof.
rewrite /swap nth_set_nth /= nth_set_nth /= /other.
by case: (k == j) => //; case: (k == i).
Qed.

Lemma size_swap s i j : i < size s -> j < size s -> size (swap x0 s i j) = size s.
Proof. by move=> hi hj; rewrite /swap !size_set_nth (maxn_idPr hi) (maxn_idPr hj). Qed.

Lemma swapK s i j : i < size s -> j < size s -> swap x0 (swap x0 s i j) i j = s.
Proof.
move=> hi hj; have sz := size_swap hi hj.
have sz2 : size (swap x0 (swap x0 s i j) i j) = size s by rewrite size_swap sz.
by apply: (@eq_from_nth _ x0) => // k _; rewrite !nth_swap otherK.
Qed.

Lemma perm_swap s i j : i < size s -> j < size s -> perm_eq (swap x0 s i j) s.
Proof.
move=> hi hj; apply/(perm_iotaP x0); exists [seq other i j k | k <- iota 0 (size s)].
  apply: uniq_perm; rewrite ?iota_uniq //.
    by rewrite map_inj_uniq ?iota_uniq //; apply: can_inj (otherK i j).
  move=> k; rewrite mem_iota add0n /=; apply/mapP/idP => [[l]|hk].
    by rewrite mem_iota add0n /= => hl ->; rewrite other_ltn.
  by exists (other i j k); rewrite ?otherK // mem_iota add0n /= other_ltn.
apply: (@eq_from_nth _ x0); first by rewrite size_swap // !size_map size_iota.
rewrite size_swap // => k hk.
by rewrite -map_comp (nth_map 0) ?size_iota // nth_iota // add0n /= nth_swap.
Qed.

Lemma swap_cat s u i j : i < size s -> j < size s ->
  swap x0 (s ++ u) i j = swap x0 s i j ++ u.
Proof.
move=> hi hj.
have wide k : k < size s -> k < size (s ++ u).
  by move=> hk; rewrite size_cat; apply: leq_trans hk (leq_addr _ _).
apply: (@eq_from_nth _ x0).
  by rewrite size_swap ?wide // !size_cat size_swap.
move=> k _; rewrite nth_swap !nth_cat size_swap // other_ltn //.
case: ltnP => hk; first by rewrite nth_swap.
by rewrite (other_out hi hj hk).
Qed.

Lemma swaps_rcons i ds d s :
  swaps x0 i (rcons ds d) s = swap x0 (swaps x0 i ds s) (i + size ds) d.
Proof.
by elim: ds i s => [|e ds IH] i s /=; rewrite ?addn0 // IH addSnnS.
Qed.

Lemma swaps_legal i ds s : below (iota i.+1 (size ds)) ds -> i + size ds <= size s ->
  perm_eq (swaps x0 i ds s) s /\ forall u, swaps x0 i ds (s ++ u) = swaps x0 i ds s ++ u.
Proof.
elim: ds i s => [|d ds IH] i s //= /andP[hd hds]; rewrite -addSnnS => hs.
have hi : i < size s by apply: leq_trans hs; apply: leq_addr.
have hd' : d < size s by apply: leq_trans hd hi.
have [|p c] := IH i.+1 (swap x0 s i d) hds; first by rewrite size_swap.
split; first exact: perm_trans p (perm_swap hi hd').
by move=> u; rewrite swap_cat // c.
Qed.
End Items.

Definition legal n ds := below (shuffle_bounds n) ds.

Lemma legal_size n ds : legal n ds -> size ds = n.-1.
Proof. by move=> h; rewrite (below_size h) size_iota. Qed.

Lemma legal_swaps n ds : legal n ds ->
  perm_eq (order_of n ds) (iota 0 n) /\
  forall u, swaps 0 1 ds (iota 0 n ++ u) = order_of n ds ++ u.
Proof.
case: n => [|n] h.
  by move: h; rewrite /legal /shuffle_bounds /order_of; case: ds => //=.
have sz := legal_size h; rewrite /= in sz.
by rewrite /order_of; apply: (@swaps_legal _ 0 1 ds (iota 0 n.+1)); rewrite ?size_iota sz // add1n.
Qed.

Theorem order_perm n ds : legal n ds -> perm_eq (order_of n ds) (iota 0 n).
Proof. by case/legal_swaps. Qed.

Lemma legal_step k ds : legal k.+2 ds ->
  exists es d, [/\ ds = rcons es d, legal k.+1 es & d < k.+2].
Proof.
rewrite /legal /shuffle_bounds.
have -> : iota 2 k.+2.-1 = iota 2 k ++ [:: k.+2].
  by rewrite succnK -(addn1 k) iotaD addn1.
case/below_cat=> es [fs [-> he]]; case: fs => [|d [|e fs]] //=; rewrite ?andbT ?andbF // => hd.
by exists es, d; rewrite cats1.
Qed.

Lemma legal_rcons k es d : legal k.+1 es -> d < k.+2 -> legal k.+2 (rcons es d).
Proof.
rewrite /legal /shuffle_bounds => he hd.
have -> : iota 2 k.+2.-1 = iota 2 k ++ [:: k.+2].
  by rewrite succnK -(addn1 k) iotaD addn1.
by rewrite -cats1; apply: below_cat_in he _; rewrite /= hd.
Qed.

Lemma iota_last k : iota 0 k.+2 = iota 0 k.+1 ++ [:: k.+1].
Proof. by rewrite -[k.+2]addn1 iotaD. Qed.

Lemma order_step k es d : legal k.+1 es ->
  order_of k.+2 (rcons es d) = swap 0 (order_of k.+1 es ++ [:: k.+1]) k.+1 d.
Proof.
move=> h; rewrite /order_of swaps_rcons iota_last.
by rewrite (proj2 (legal_swaps h)) (legal_size h) add1n.
Qed.

Lemma order_size n ds : legal n ds -> size (order_of n ds) = n.
Proof. by move=> h; rewrite (perm_size (order_perm h)) size_iota. Qed.

Lemma size_longer k es : legal k.+1 es -> size (order_of k.+1 es ++ [:: k.+1]) = k.+2.
Proof. by move=> h; rewrite size_cat order_size //= addn1. Qed.

Lemma order_last k es d : legal k.+1 es -> d < k.+2 ->
  nth 0 (order_of k.+2 (rcons es d)) d = k.+1.
Proof.
move=> h hd; rewrite order_step // nth_swap /other eqxx /= nth_cat order_size //.
by rewrite ltnn subnn.
Qed.

Theorem order_inj n ds es : legal n ds -> legal n es -> order_of n ds = order_of n es -> ds = es.
Proof.
case: n => [|n]; first by rewrite /legal /=; case: ds es => [|? ?] [|? ?] //=.
elim: n ds es => [|k IH] ds es; first by rewrite /legal /=; case: ds es => [|? ?] [|? ?] //=.
move=> /legal_step[as_ [a [-> la ha]]] /legal_step[bs [b [-> lb hb]]] E.
have lra := legal_rcons la ha.
have ab : a = b.
  have e := order_last lb hb; rewrite -E in e.
  have := etrans (order_last la ha) (esym e) => /eqP.
  rewrite nth_uniq ?order_size //; first by move=> /eqP->.
  by rewrite (perm_uniq (order_perm lra)) iota_uniq.
move: E; rewrite -ab !order_step // => /(congr1 (fun s => swap 0 s k.+1 a)).
rewrite /= !swapK ?(size_longer la) ?(size_longer lb) // !cats1.
by move=> /rcons_inj [] /(IH _ _ la lb) ->.
Qed.

Theorem order_onto n s : perm_eq s (iota 0 n) -> exists2 ds, legal n ds & order_of n ds = s.
Proof.
case: n => [|n] p.
  by have -> : s = iota 0 0 by [apply: perm_small_eq p]; exists [::].
move: p.
elim: n s => [|k IH] s p.
  by have -> : s = iota 0 1 by [apply: perm_small_eq p]; exists [::].
 have sz : size s = k.+2 by rewrite (perm_size p) size_iota.
have mem : k.+1 \in s by rewrite (perm_mem p) mem_iota add0n /=.
pose d := index k.+1 s; have hd : d < k.+2 by rewrite -sz index_mem.
pose t := swap 0 s k.+1 d.
have st : size t = k.+2 by rewrite size_swap sz.
have lt : nth 0 t k.+1 = k.+1.
  rewrite nth_swap /other eqxx; case: eqP => [e|_]; last exact: nth_index.
  by rewrite {1}e; apply: nth_index.
have et : t = take k.+1 t ++ [:: k.+1].
  rewrite -{1}(cat_take_drop k.+1 t); congr (_ ++ _).
  by rewrite (drop_nth 0) ?st // lt drop_oversize ?st.
have pt : perm_eq (take k.+1 t) (iota 0 k.+1).
  rewrite -(perm_cat2r [:: k.+1]) -et -iota_last.
  by apply: perm_trans p; apply: perm_swap; rewrite sz.
have [es le ee] := IH _ pt.
exists (rcons es d); first exact: legal_rcons.
by rewrite order_step // ee -et swapK ?sz.
Qed.
