import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keysIn, linesOfKey, withLine, withoutKey } from './authorized-keys.ts'
import { parsePublicKey, readNewKey } from './public-key.ts'
import { madeKeys } from './testing/keys.ts'

const { ed25519, rsa1024, dsa, rsa2048, ecdsa256 } = madeKeys
const { line } = ed25519
const [type = '', base64 = ''] = line.split(' ')

/** A key of security keys, which ssh-keygen makes only with one plugged in (PROTOCOL.u2f). */
const skEd25519 = (() => {
  const text = (value: string | Buffer) => {
    const bytes = Buffer.from(value as string)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  const name = 'sk-ssh-ed25519@openssh.com'
  const blob = Buffer.concat([text(name), text(Buffer.alloc(32, 7)), text('ssh:')])
  return `${name} ${blob.toString('base64')} token`
})()

describe('a public key', () => {
  it('has the type, bits and fingerprint that ssh-keygen prints', () => {
    for (const { line: each, bits, fingerprint } of Object.values(madeKeys)) {
      if (each === dsa.line) continue
      const key = parsePublicKey(each)
      assert.deepEqual([key?.type, key?.bits, key?.fingerprint], [each.split(' ')[0], bits, fingerprint])
      assert.equal(key?.comment, each.split(' ')[2])
    }
    assert.equal(parsePublicKey(skEd25519)?.bits, 256)
  })

  it('may be pasted with blanks around it, and without a comment', () => {
    assert.equal(readNewKey(`  ${line}\n`).comment, 'ada@laptop')
    assert.deepEqual([readNewKey(`${type}\t${base64}`).comment, readNewKey(skEd25519).comment], ['', 'token'])
    assert.equal(readNewKey(`${line} of Ada`).comment, 'ada@laptop of Ada')
  })

  const damaged = (edit: (blob: Buffer) => Buffer) =>
    `${type} ${edit(Buffer.from(base64, 'base64')).toString('base64')}`
  for (const [title, text, message] of [
    ['is empty', ' \n', /is empty; paste a public key/],
    ['has several lines', `${line}\n${rsa2048.line}`, /several lines; add one key at a time/],
    ['is a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz', /private key: keep it to yourself/],
    ['is a private key of PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519', /private key/],
    ['has the format of RFC 4716', '---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', /ssh-keygen -i/],
    ['has options', `command="/bin/sh" ${line}`, /begins with options/],
    ['has a single option', `no-pty ${line}`, /begins with options/],
    ['is a weak RSA key', rsa1024.line, /RSA key of 1024 bits; use one of 2048 to 16384 bits, or Ed25519/],
    ['is a DSA key', dsa.line, /DSA key, which sshd no longer accepts; use Ed25519/],
    ['is of an unknown type', 'ssh-new AAAAB3NzaC1yc2E', /unknown type; use one of ssh-ed25519,/],
    ['is a certificate', `ssh-ed25519-cert-v01@openssh.com ${base64}`, /is a certificate/],
    ['is named for another type', `ssh-rsa ${base64}`, /damaged or cut off/],
    ['is cut off', line.slice(0, 60), /damaged or cut off/],
    ['has bytes behind its end', damaged((blob) => Buffer.concat([blob, Buffer.alloc(4)])), /damaged/],
    ['states a length beyond its end', damaged((blob) => blob.fill(255, 0, 4)), /damaged/],
    ['contains control characters', `${line}\u001b[2J`, /control characters/],
    ['contains a NUL', `${line}\0`, /control characters/],
  ] as const)
    it(`that ${title} is refused with what would be right`, () => {
      assert.throws(
        () => readNewKey(text),
        (error: Error) => error.message.startsWith('public_key: ') && message.test(error.message),
      )
    })
})

describe('an authorized_keys file', () => {
  const options = `from="192.0.2.0/24",command="echo \\"hi there\\"" ${rsa2048.line}`
  const file = `# mine\r\n\n  ${line}\n${options}\nnonsense \u00fc\n@cert-authority *\n${ecdsa256.line}`

  it('lists its keys, also those behind options', () => {
    assert.deepEqual(
      keysIn(file).map(({ key, hasOptions }) => [key.fingerprint, hasOptions]),
      [
        [ed25519.fingerprint, false],
        [rsa2048.fingerprint, true],
        [ecdsa256.fingerprint, false],
      ],
    )
    assert.deepEqual(keysIn(''), [])
  })

  it('keeps every other byte when a key is added or removed', () => {
    const added = withLine(file, madeKeys.rsa3072.line)
    assert.equal(added, `${file}\n${madeKeys.rsa3072.line}\n`)
    assert.equal(withoutKey(added, madeKeys.rsa3072.fingerprint), `${file}\n`)
    assert.equal(withoutKey(file, rsa2048.fingerprint), file.replace(`${options}\n`, ''))
    assert.equal(withoutKey(file, ecdsa256.fingerprint), file.slice(0, -ecdsa256.line.length))
    assert.equal(withoutKey(file, dsa.fingerprint), file)
  })

  it('loses every line of a key that it has several times', () => {
    const twice = `${line}\nno-pty ${line}\n${ecdsa256.line}\n`
    assert.deepEqual(linesOfKey(twice, ed25519.fingerprint), [line, `no-pty ${line}`])
    assert.equal(withoutKey(twice, ed25519.fingerprint), `${ecdsa256.line}\n`)
  })
})
