import { auth } from '../areas/auth/web/api.ts'
import { type Call, urlOf } from './call.ts'
import { reach } from './connection.ts'
import { failureOf } from './failure-of.ts'
import { askForPasskey } from './passkeys.ts'
import { enter } from './session.ts'

const limitMs = 70_000

/** Signs in with a passkey; does nothing if the user of the device declined. */
export async function signInWithPasskey(): Promise<void> {
  const response = await askForPasskey(await send(auth.requestPasskeySignIn()))
  if (response === undefined) return
  enter(await send(auth.signInWithPasskey({ body: { response, cookie: true } })))
}

async function send<Answer>(call: Call<Answer>): Promise<Answer> {
  const answer = await reach(urlOf(call), {
    method: call.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call.body ?? {}),
    signal: AbortSignal.timeout(limitMs),
  })
  if (!answer.ok) throw await failureOf(answer)
  const { data }: { readonly data: Answer } = await answer.json()
  return data
}
