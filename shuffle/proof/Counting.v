(* Counting: tapes by their orders, orders by the faces they show, orders under mixes. *)
From mathcomp Require Import all_ssreflect.
From Talla Require Import Mapping Words Draws Orders.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* Does a draw give this; does it give one that pleases p? *)
Definition result_is (x : seq nat) (d : drawn) : bool :=
  if d is Drawn y _ _ _ then y == x else false.
Definition result_in (p : pred (seq nat)) (d : drawn) : bool :=
  if d is Drawn y _ _ _ then p y else false.

Lemma count_sum (A : Type) (a : pred A) (s : seq A) : count a s = \sum_(x <- s) a x.
Proof. by elim: s => [|x s IH]; rewrite ?big_nil ?big_cons //= IH. Qed.

(* If each possible result comes equally often, p is pleased as often times its results. *)
Lemma count_by (A : eqType) (h : A -> drawn) (S : seq (seq nat)) (p : pred (seq nat))
  (ts : seq A) c :
  uniq S ->
  (forall t, t \in ts -> forall s, result_is s (h t) -> s \in S) ->
  (forall s, s \in S -> count (fun t => result_is s (h t)) ts = c) ->
  count (fun t => result_in p (h t)) ts = count p S * c.
Proof.
move=> uS hS hc; rewrite count_sum.
transitivity (\sum_(t <- ts) \sum_(s <- filter p S) result_is s (h t)).
  apply: eq_big_seq => t ht; have := hS t ht; case: (h t) => [y u r rest| | |] /=;
    try by move=> _; rewrite big1.
  move=> /(_ y (eqxx y)) yS; rewrite -(count_sum (fun s => y == s)).
  rewrite (@eq_count _ _ (pred1 y)); last by move=> s; rewrite /= eq_sym.
  by rewrite count_uniq_mem ?filter_uniq // mem_filter yS andbT.
rewrite exchange_big /=; transitivity (\sum_(s <- filter p S) c).
  by apply: eq_big_seq => s; rewrite mem_filter => /andP[_ /hc <-]; rewrite count_sum.
by rewrite big_const_seq count_predT iter_addn_0 size_filter mulnC.
Qed.

(* Who moves a list without repetition into itself one to one hits each member once. *)
Lemma count_one (A : eqType) (S : seq A) (f : A -> A) s :
  uniq S -> {in S &, injective f} -> (forall x, x \in S -> f x \in S) -> s \in S ->
  count (fun x => f x == s) S = 1.
Proof.
move=> uS inj clos sS.
have um : uniq (map f S) by rewrite map_inj_in_uniq.
have sub : {subset map f S <= S} by move=> y /mapP[x /clos h ->].
have [_ e] := uniq_min_size um sub (eq_leq (esym (size_map f S))).
have := count_uniq_mem s um; rewrite e sS count_map => h.
by apply: etrans h; apply: eq_count.
Qed.

Section Mixes.
Variable n : nat.
Notation orders := (permutations (iota 0 n)).
Notation order s := (perm_eq s (iota 0 n)).

Lemma order_length s : order s -> size s = n.
Proof. by move=> p; rewrite (perm_size p) size_iota. Qed.

Lemma order_mem s i : order s -> (i \in s) = (i < n).
Proof. by move=> p; rewrite (perm_mem p) mem_iota add0n. Qed.

Lemma order_uniq s : order s -> uniq s.
Proof. by move=> p; rewrite (perm_uniq p) iota_uniq. Qed.

Lemma mixed_perm o m : order o -> order m -> order (mixed o m).
Proof.
move=> po pm; apply: (perm_trans _ po); apply/(perm_iotaP 0); exists m => //.
by rewrite (order_length po).
Qed.

(* Under one mix, no two orders become the same. *)
Lemma mixed_inj_order m : order m -> {in orders &, injective (mixed^~ m)}.
Proof.
move=> pm o o'; rewrite !mem_permutations => po po' h.
apply: (@eq_from_nth _ 0); first by rewrite !order_length.
rewrite (order_length po) => i hi.
have /eq_in_map e : [seq nth 0 o p | p <- m] = [seq nth 0 o' p | p <- m] := h.
by apply: e; rewrite order_mem.
Qed.

(* Of one order, no two mixes make the same. *)
Lemma mixed_inj o : order o -> {in orders &, injective (mixed o)}.
Proof.
move=> po m m'; rewrite !mem_permutations => pm pm' h.
have sm := order_length pm; have sm' := order_length pm'.
apply: (@eq_from_nth _ 0); first by rewrite sm.
rewrite sm => i hi; have := congr1 (fun s => nth 0 s i) h.
rewrite /mixed /= !(nth_map 0) ?sm ?sm' // => /eqP.
rewrite nth_uniq ?order_uniq ?(order_length po) //; first by move/eqP.
  by rewrite -(order_mem _ pm) mem_nth ?sm.
by rewrite -(order_mem _ pm') mem_nth ?sm'.
Qed.

Lemma dealt_perm (ms : seq (seq nat)) o :
  all (fun m => order m) ms -> order o -> order (foldl mixed o ms).
Proof. by elim: ms o => //= m ms IH o /andP[pm /IH h] po; apply: h; apply: mixed_perm. Qed.

Lemma dealt_inj (ms : seq (seq nat)) :
  all (fun m => order m) ms -> {in orders &, injective (fun o => foldl mixed o ms)}.
Proof.
elim: ms => [|m ms IH] /=; first by move=> _ o o' _ _.
move=> /andP[pm /IH{}IH] o o' ho ho' h.
apply: (mixed_inj_order pm ho ho'); apply: (IH _ _ _ _ h);
  by rewrite mem_permutations mixed_perm // -mem_permutations.
Qed.
End Mixes.

(* Of each arrangement of a deck's faces there are as many orders. *)
Section Arrangements.
Variables (T : eqType) (x0 : T) (deck : seq T).
Notation n := (size deck).
Notation showing f := (fun o => faces x0 deck o == f).

Lemma arrangements_leq f g : perm_eq f deck -> perm_eq g deck ->
  count (showing g) (permutations (iota 0 n)) <= count (showing f) (permutations (iota 0 n)).
Proof.
move=> pf pg; have sg : size g = n by apply: perm_size.
have /(perm_iotaP x0)[m] : perm_eq f g by apply: (perm_trans pf); rewrite perm_sym.
rewrite sg => pm ef.
apply: (@leq_trans (size (map (mixed^~ m) (filter (showing g) (permutations (iota 0 n)))))).
  by rewrite size_map size_filter.
rewrite -[X in _ <= X]size_filter; apply: uniq_leq_size.
  rewrite map_inj_in_uniq ?filter_uniq ?permutations_uniq // => o o'.
  rewrite !mem_filter => /andP[_ ho] /andP[_ ho']; exact: (mixed_inj_order pm ho ho').
move=> _ /mapP[o + ->]; rewrite !mem_filter !mem_permutations => /andP[/= /eqP eg po].
rewrite mixed_perm // andbT ef -eg /faces /mixed -map_comp; apply/eqP/eq_in_map => i hi /=.
by rewrite (nth_map 0) // (order_length po) -(order_mem i pm).
Qed.

Lemma arrangements_equal f g : perm_eq f deck -> perm_eq g deck ->
  count (showing f) (permutations (iota 0 n)) = count (showing g) (permutations (iota 0 n)).
Proof. by move=> pf pg; apply/eqP; rewrite eqn_leq !arrangements_leq. Qed.
End Arrangements.
