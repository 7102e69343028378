import { createHash, randomBytes } from 'node:crypto'
import { type Change, change, step } from '../../core/change.ts'
import { websiteLocks } from '../websites/index.ts'
import type { WordPresses } from './context.ts'
import type { Installed } from './installations.ts'
import type { SignInDraft, SignInLink } from './model.ts'
import { UserUnknown } from './problems.ts'

const lifetimeMs = 300_000

interface Request {
  readonly now: Date
  readonly signal: AbortSignal
}

/** Makes a link that signs an administrator in once. The token follows `#`, so that no server logs it. */
export async function makeSignInLink(
  on: WordPresses,
  { site, place }: Installed,
  { user }: SignInDraft,
  { now, signal }: Request,
): Promise<Change<SignInLink>> {
  const { administrators } = await on.ask(place, 'read', {}, { signal })
  const chosen = user ?? administrators[0]
  if (chosen === undefined || !administrators.includes(chosen))
    throw UserUnknown(`user: ${chosen ?? 'nobody'} is not an administrator of ${site.domain}`)
  const token = randomBytes(32).toString('base64url')
  const expiresMs = now.getTime() + lifetimeMs
  const { username, domain, isTls } = place
  return change({
    summary: `Make a link that signs ${chosen} in to ${domain}`,
    locks: websiteLocks([domain]),
    steps: [
      step(on.steps.writeSignIn, {
        ...{ username, domain, user: chosen },
        sha256: createHash('sha256').update(token).digest('hex'),
        expires: Math.floor(expiresMs / 1000),
      }),
    ],
    reply: {
      user: chosen,
      link: `${isTls ? 'https' : 'http'}://${domain}/wp-login.php?hostreeve_sign_in=1#${token}`,
      expires_at: new Date(expiresMs).toISOString(),
    },
  })
}
