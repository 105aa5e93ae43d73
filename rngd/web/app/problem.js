// A refusal of the API in words. The stable code decides (RFC 9457, member `code`); the appliance's
// own detail, in the language of the page, stands behind it.

/// One text.
export function problem_text(problem, t) {
  // 502 and 504 are the word of a proxy in front of the appliance, which had no answer either.
  if (problem.kind === 'network' || problem.status === 502 || problem.status === 504) return t(
    'problem.network');
  if (problem.kind === 'damaged') return `${t('problem.damaged')} (${problem.detail})`;
  const known = problem.code !== undefined && t.has(`problem.${problem.code}`);
  const status = Number(problem.status);
  let text;
  if (known) text = t(`problem.${problem.code}`);
  else if (status === 403) text = t('problem.forbidden');
  else if (status === 404) text = t('problem.not_found');
  else if (status === 503) text = t('problem.unavailable');
  else text = t('problem.other', { status: Number.isFinite(status) ? status : '?' });
  if (!known && problem.title) text += ` ${problem.title}.`;
  if (problem.detail) text += ` (${problem.detail})`;
  if (problem.retry === 'after' || problem.retry === 'same') text += ` ${t('problem.later')}`;
  return text;
}
