/** The verdict on a run of `.ci/run`: the outcome in the first line, then what failed, what was unreliable and the counts. */
export function renderVerdict(code: number, lines: readonly string[], seconds: number): string {
  const told = (start: string) => lines.filter((line) => line.startsWith(start))
  const closing = lines.findLast((line) => /^\d+ passed, \d+ failed$/.test(line)) ?? 'no test was counted'
  // the parts print their failures as they end, and .ci/run all of them once more
  const failures = [...new Set(told('  ✖ '))]
  const verdict = [
    `${code === 0 ? 'passed' : `failed (exit ${code})`} after ${seconds} s: ${closing}`,
    ...told('ci: failed: '),
    ...(code === 0 ? [] : failures),
    ...told('ci: unreliable: '),
    ...told('ci: npm '),
  ]
  return `${verdict.join('\n')}\n`
}
