import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sealWith } from './secrets.ts'

const seal = sealWith(Buffer.alloc(32, 1))

describe('a sealed text', () => {
  it('is read back unchanged, including empty, long and non-ASCII texts', () => {
    for (const plain of ['', 'a', 'pässwörd \u{1F511}', 'x'.repeat(100_000)])
      assert.equal(seal.unseal(seal.seal(plain)), plain)
  })

  it('differs each time and does not reveal its content', () => {
    const [first, second] = [seal.seal('correct horse'), seal.seal('correct horse')]
    assert.notEqual(first, second)
    assert.ok(!Buffer.from(first.slice(3), 'base64url').includes('correct'))
  })

  it('is rejected if any bit of it was changed', () => {
    const bytes = Buffer.from(seal.seal('correct horse').slice(3), 'base64url')
    for (const index of bytes.keys()) {
      const tampered = Buffer.from(bytes)
      tampered[index] = (tampered[index] as number) ^ 1
      assert.throws(() => seal.unseal(`v1.${tampered.toString('base64url')}`), `byte ${index}`)
    }
  })

  it('is rejected if it was truncated, even within its tag', () => {
    const bytes = Buffer.from(seal.seal('').slice(3), 'base64url')
    for (let length = 0; length < bytes.length; length++)
      assert.throws(() => seal.unseal(`v1.${bytes.subarray(0, length).toString('base64url')}`))
    assert.throws(() => seal.unseal('plain text'), /unknown form/)
  })

  it('is rejected with another key', () => {
    assert.throws(() => sealWith(Buffer.alloc(32, 2)).unseal(seal.seal('a')))
  })
})

it('signs the same text equally, and another text or key differently', () => {
  assert.equal(seal.sign('a'), seal.sign('a'))
  assert.notEqual(seal.sign('a'), seal.sign('b'))
  assert.notEqual(seal.sign('a'), sealWith(Buffer.alloc(32, 2)).sign('a'))
})
