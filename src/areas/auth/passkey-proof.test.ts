import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { verifyCreation } from './passkey-proof.ts'
import type { PasskeyDraft } from './passkey-model.ts'
import { makeAuthenticator } from './testing/authenticator.ts'

const origin = 'https://panel.example.com:7070'
const at = { origin, rpId: 'panel.example.com' }
const created = (format: string) =>
  makeAuthenticator(origin).create('challenge', { format }) as PasskeyDraft['response']

describe('the creation of a passkey', () => {
  it('is verified without an attestation', async () => {
    const { fmt, userVerified } = await verifyCreation(created('none'), at)
    assert.deepEqual([fmt, userVerified], ['none', true])
  })

  it('is refused with an attestation, for whose certificates the library would ask other hosts', async () => {
    for (const format of ['apple', 'android-key', 'tpm', 'unheard-of'])
      await assert.rejects(verifyCreation(created(format), at), ({ message, cause }) => {
        assert.equal(message, 'response: cannot be verified')
        assert.match(String(cause), /an attestation was not asked for/)
        return true
      })
  })
})
