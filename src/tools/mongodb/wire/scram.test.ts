import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginScram } from './scram.ts'

const nonce = 'rOprNGfwEbeRWgbNEkqO'
const combined = `${nonce}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0`
const challenge = (text = `r=${combined},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`) => Buffer.from(text)
const begin = () => beginScram({ username: 'user', password: 'pencil' }, nonce)

test('signs in as the example of RFC 7677', async () => {
  const { first, answer } = begin()
  assert.equal(first.toString(), `n,,n=user,r=${nonce}`)
  const { final, assertServer } = await answer(challenge())
  const proof = 'dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ='
  assert.equal(final.toString(), `c=biws,r=${combined},p=${proof}`)
  assertServer(Buffer.from('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4='))
  assert.throws(() => assertServer(Buffer.from('v=AAAA')), /knows the password/)
})

test('refuses an answer to another exchange, and rounds that are too few or too many', async () => {
  const { answer } = begin()
  await assert.rejects(answer(challenge('r=other,s=AA==,i=4096')), /another exchange/)
  await assert.rejects(answer(challenge(`r=${nonce},s=AA==,i=4096`)), /another exchange/)
  for (const rounds of ['1', '99999999', 'x'])
    await assert.rejects(answer(challenge(`r=${combined},s=AA==,i=${rounds}`)), /rounds of the password/)
})
