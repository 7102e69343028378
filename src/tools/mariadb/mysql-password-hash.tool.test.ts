import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from '../../host/run.ts'
import { sha256Crypt } from './mysql-password-hash.ts'

for (const length of [1, 31, 32, 33, 64, 100])
  test(`OpenSSL makes the same of a password of ${length} characters`, async () => {
    const password = 'a quoted "password" \\ of $any kind; '.repeat(3).slice(0, length)
    const salt = 'a./Zz09saltsalt1'
    const argv = ['openssl', 'passwd', '-5', '-salt', salt, '-stdin'] as const
    const { code, stdout, stderr } = await run(argv, { input: `${password}\n` })
    assert.equal(code, 0, stderr)
    assert.equal(stdout.trim(), `$5$${salt}$${sha256Crypt(password, salt)}`)
  })
