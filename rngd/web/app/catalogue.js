// The catalogues of the appliance: choose one, choose a game, read its rules as data (app/game.js).

import { get, Refusal } from './api.js';
import { element, facts, say } from './dom.js';
import { short_digest } from './format.js';
import { game_view } from './game.js';
import { odds_view } from './odds.js';
import { problem_text } from './problem.js';

/// Null where the game has none.
async function odds_of(catalogue, game) {
  try {
    return await get(`odds/${encodeURIComponent(catalogue)}/${encodeURIComponent(game)}.json`);
  } catch (error) {
    if (error instanceof Refusal && error.problem.status === 404) return null;
    throw error;
  }
}

export class Catalogues {
  constructor(problem_node, view_node) {
    this.problem = problem_node;
    this.view = view_node;
    this.list = undefined;
    this.chosen = {};  // catalogue, game: ids
    this.turn = 0;  // a later choice wins over a slower answer
  }

  /// In the language of t; called again when it changes.
  async show(t) {
    this.t = t;
    await this.ask(async () => {
      const answer = await get(`/v1/catalogues?language=${t.language}`);
      return () => {
        this.list = answer.catalogues;
        this.chosen.catalogue ??= this.list[0]?.id;
        this.build();
      };
    });
    if (this.chosen.game) await this.open(this.chosen.game);
  }

  /// True once the list is there; the caller asks again otherwise.
  get known() {
    return this.list !== undefined;
  }

  async ask(question) {
    this.turn += 1;
    const turn = this.turn;
    try {
      const finish = await question();
      if (turn !== this.turn) return;
      say(this.problem, []);
      finish();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (turn !== this.turn) return;
      say(this.problem,
          [element('p', { class: 'banner bad' }, problem_text(error.problem, this.t))]);
    }
  }

  build() {
    const t = this.t;
    const choice = element('select', { id: 'catalogue-choice' }, this.list.map((one) =>
      element('option', { value: one.id }, `${one.id}: ${one.territory}, ${one.published}`)));
    choice.value = this.chosen.catalogue;
    choice.addEventListener('change', () => {
      this.chosen = { catalogue: choice.value };
      this.build();
    });
    this.game_node = element('div', { id: 'catalogue-game', role: 'region',
                                     'aria-live': 'polite' });
    const catalogue = this.list.find((one) => one.id === this.chosen.catalogue);
    this.view.replaceChildren(
      element('div', { class: 'controls' },
        element('label', { for: 'catalogue-choice' }, t('catalogue.choose')), choice),
      ...(catalogue ? this.catalogue_parts(catalogue, t) : []),
      this.game_node);
  }

  catalogue_parts(catalogue, t) {
    this.buttons = new Map(catalogue.games.map((game) => {
      const button = element('button', { type: 'button' }, `${game.number} ${game.text}`,
        game.playable ? '' : ` (${t('catalogue.not_playable')})`);
      button.addEventListener('click', () => this.open(game.id));
      return [game.id, button];
    }));
    return [
      element('p', { lang: catalogue.language }, catalogue.legal_name),
      facts([
        [t('catalogue.source'), catalogue.source],
        [t('catalogue.territory'), catalogue.territory],
        [t('catalogue.published'), catalogue.published],
        [t('catalogue.currency'), catalogue.currency],
        [t('catalogue.digest'), element('span', { class: 'code', title: catalogue.digest },
          short_digest(catalogue.digest))],
        catalogue.base ? [t('catalogue.base'), catalogue.base.decree] : null,
      ]),
      element('h3', {}, t('catalogue.games')),
      element('ul', { class: 'choices' }, [...this.buttons.values()]
          .map((button) => element('li', {}, button))),
    ];
  }

  /// To the playground, where the appliance serves the game.
  link(catalogue, game) {
    const served = this.list?.find((one) => one.id === catalogue)?.games
      .some((one) => one.id === game && one.playable);
    const place = [catalogue, game].map(encodeURIComponent).join('/');
    return served ? [element('p', {}, element('a', { href: `play.html#${place}` },
      this.t('game.try')))] : [];
  }

  async open(game) {
    const { catalogue } = this.chosen;
    this.chosen.game = game;
    for (const [id, button] of this.buttons ?? []) button.setAttribute(
      'aria-current', String(id === game));
    await this.ask(async () => {
      const answer =
        await get(`/v1/catalogues/${encodeURIComponent(catalogue)}/${encodeURIComponent(game)}` +
        `?language=${this.t.language}`);
      const odds = await odds_of(catalogue, game);
      const texts = new Map(answer.bets.map((bet) => [bet.id, bet.text ?? bet.id]));
      const [title, ...parts] = game_view(answer, this.t);
      return () => this.game_node.replaceChildren(title, ...this.link(catalogue, game), ...parts,
        ...(odds ? odds_view(odds, texts, this.t) : []));
    });
  }
}
