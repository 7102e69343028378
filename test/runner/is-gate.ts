/** True in the gate, which selects suites, repeats failures and sets quarantined tests aside; `npm run test:all` and a developer's run do not. */
export function isGate(): boolean {
  return Boolean(process.env['CI']) && !process.env['HOSTREEVE_ALL']
}
