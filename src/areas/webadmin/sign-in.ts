import { randomBytes } from 'node:crypto'
import Type from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { signOnAddress, tokenSeconds } from '../../tools/phpmyadmin/index.ts'
import { urlOf } from './address.ts'
import { job, type WebadminArea } from './context.ts'
import { passwordOf } from './passwords.ts'
import { loadServed } from './status.ts'

/** Writes a one-time file, and returns the address at which it signs a browser in. */
export async function signIn(
  on: WebadminArea,
  user: string,
  now: Date,
): Promise<Change<{ readonly url: string }>> {
  const served = await loadServed(on)
  const password = await passwordOf(on, user)
  const token = randomBytes(32).toString('hex')
  const expires = Math.floor(now.getTime() / 1000) + tokenSeconds
  return change({
    summary: `Sign ${user} in to phpMyAdmin`,
    steps: [step(on.tool.steps.writeToken, { token, user, password, expires })],
    reply: { url: urlOf(served) + signOnAddress(token) },
  })
}

/** Removes one-time files that nobody used: they contain passwords. */
export const tidying = job({
  kind: 'webadmin.tidy',
  input: Type.Object({}),
  timeoutMs: 60_000,
  attempts: 1,
  resumes: true,
  schedule: '47 * * * *',
  run: async ({ webadmin }) => {
    await webadmin.tool.removeExpired(new Date(Date.now() - tokenSeconds * 1000))
  },
})
