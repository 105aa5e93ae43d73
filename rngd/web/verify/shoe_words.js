// What was checked of a shoe, and what was not, once its last record has been read (FORMAT.md,
// section 7).

function concludeRelease(shoe, root) {
  const { machine } = root.release;
  const matchOpen = !shoe.opened && (shoe.close === null || root.body.disclosure === 'covered');
  shoe.evidence.checked.push(`${shoe.name}: its order was released once, to ${machine}`);
  shoe.note(`the order was known to ${machine}: what it did with it`);
  shoe.note(`what the ciphertext for ${machine} holds`);
  if (root.reports.length === 0) shoe.note(`no report of ${machine}`);
  for (const { result } of root.reports) {
    if (result === 'match') {
      if (matchOpen) shoe.note(`whether ${machine} reported a match of the committed order`);
    } else if (shoe.close?.reason === 'voided') {
      shoe.note(`void, because ${machine} reported ${result}: whether it was so`);
    } else {
      shoe.note(`${machine} reported ${result}: whether two persons decided to go on`);
    }
  }
}

export function concludeShoe(shoe) {
  const { evidence, name, roots } = shoe;
  const opened = roots.reduce((sum, root) => sum + root.openings.size, 0);
  if (shoe.eachRound && shoe.newest.dealt.length > 0) {
    evidence.checked.push(`${name}: mixed again behind the bets of each round: nobody knew a ` +
      'card of a round while its bets were open');
  }
  const { candidates } = shoe;
  if (candidates > 1) {
    evidence.checked.push(shoe.unpicked
      ? `${name}: none of ${candidates} sealed orders was picked`
      : `${name}: the call picked one of ${candidates} sealed orders; the others were opened, ` +
        'and each is a shuffle of the whole deck');
  }
  evidence.checked.push(`${name}: ${opened} opened cards are the committed ones`);
  if (roots.length > 1) {
    evidence.checked.push(`${name}: shuffled again ${roots.length - 1} times`);
    shoe.note('whether the cards that went back are those the rules name');
  }
  const burned = roots.reduce((sum, root) => sum + root.burned, 0);
  if (burned > 0) {
    shoe.note(`whether the ${burned} cards dealt outside rounds are those that the rules burn`);
  }
  for (const root of roots) if (root.release !== null) concludeRelease(shoe, root);
  const covered = shoe.newest.body.disclosure === 'covered';
  const { close } = shoe;
  if (shoe.opened || (close !== null && (!covered || close.key !== undefined))) return;
  if (close?.candidates !== undefined) {
    evidence.checked.push(`${name}: all of them were opened, and each is a shuffle of the whole ` +
      'deck');
    return;
  }
  const left = roots.reduce((sum, root) => sum + root.unopened(root === shoe.newest), 0);
  if (candidates > 1 && roots.length > 1) {
    shoe.note('its composition when it was shuffled again: a covered shoe has one root then, ' +
      'and nothing to pick from');
  }
  const found = candidates > 1 && roots.length === 1 && !shoe.unpicked
    ? `: a wrong one would have been found with probability ${candidates - 1}/${candidates}, if ` +
      'the table\'s key or a contributor was honest' : '';
  evidence.unopened = true;
  shoe.note(`composition of ${left} unopened cards${found}`);
}
