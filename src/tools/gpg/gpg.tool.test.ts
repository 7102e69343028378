import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, describe, test } from 'node:test'
import { hangMs } from '../../../test/support/until.ts'
import { openHost } from '../../host/index.ts'
import { gpg } from './index.ts'

const passphrase = 'correct horse battery staple'

describe('gpg with a passphrase', { skip: !existsSync('/usr/bin/gpg') && 'gpg is not installed' }, () => {
  const root = mkdtempSync(`${tmpdir()}/hostreeve-gpg-`)
  mkdirSync(`${root}/run`)
  const host = openHost({ root })
  const tool = gpg.open(host)
  after(async () => {
    await host.close()
    rmSync(root, { recursive: true })
  })
  const write = (name: string, bytes: Buffer | string) => writeFileSync(`${root}/${name}`, bytes)
  const crypting = (from: string, to: string, more = {}) => ({
    passphrase,
    from: `/${from}`,
    to: `/${to}`,
    signal: AbortSignal.timeout(hangMs),
    ...more,
  })

  for (const size of [0, 1, 3 * 1024 * 1024 + 5])
    test(`gives back ${size} bytes, and leaves no agent and no folder`, async () => {
      const bytes = randomBytes(size)
      write(`plain-${size}`, bytes)
      await tool.encryptFile(crypting(`plain-${size}`, `secret-${size}`))
      assert.ok(size < 100 || !readFileSync(`${root}/secret-${size}`).includes(bytes.subarray(0, 50)))
      await tool.decryptFile(crypting(`secret-${size}`, `again-${size}`))
      assert.deepEqual(readFileSync(`${root}/again-${size}`), bytes)
      assert.deepEqual(readdirSync(`${root}/run`), [])
    })

  test('refuses another passphrase, and leaves nothing', async () => {
    write('plain', 'text')
    await tool.encryptFile(crypting('plain', 'secret'))
    for (const wrong of ['another', '', 'two\nlines'])
      await assert.rejects(tool.decryptFile(crypting('secret', 'wrong', { passphrase: wrong })), {
        message: /passphrase: is not the one/,
      })
    assert.ok(!existsSync(`${root}/wrong`))
  })

  test('refuses a file with a flipped byte, after some output, and leaves nothing', async () => {
    write('long', randomBytes(2 * 1024 * 1024))
    await tool.encryptFile(crypting('long', 'whole'))
    const bytes = readFileSync(`${root}/whole`)
    bytes[bytes.length - 1000]! ^= 1
    write('flipped', bytes)
    await assert.rejects(tool.decryptFile(crypting('flipped', 'got')), /gpg: /)
    assert.ok(!existsSync(`${root}/got`))
  })
})
