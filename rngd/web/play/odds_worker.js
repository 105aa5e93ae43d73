// Works odds out beside the playground's page, which goes on meanwhile: some seconds for the games
// whose every hand is counted.
import { enginesHere } from '../settle/here.js';

addEventListener('message', async ({ data: { catalogue, game, params } }) => {
  try {
    const engines = await enginesHere();
    postMessage(engines?.gameOdds(catalogue, game, params) ?? { stopped: '' });
  } catch (error) {
    postMessage({ stopped: error.message });
  }
});
