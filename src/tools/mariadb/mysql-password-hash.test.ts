import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMysqlHash, mysqlHashOf, sha256Crypt } from './mysql-password-hash.ts'
import { byHash, hashOf } from './password-hash.ts'

test('is that of SHA-256 crypt', () => {
  // as openssl passwd -5 makes it
  assert.equal(sha256Crypt('Hello world!', 'saltstring'), '5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5')
})

test('has a salt of its own each time, as MySQL writes it', () => {
  const hashes = ['', 'x', 'a password of more than 32 bytes, and é 😀'].flatMap((password) => [
    mysqlHashOf(password),
    mysqlHashOf(password),
  ])
  assert.equal(new Set(hashes).size, hashes.length)
  for (const hash of hashes) assert.match(hash, /^\$A\$005\$[./0-9A-Za-z]{20}[./0-9A-Za-z]{43}$/)
})

test('tells by a hash which server it is for', () => {
  const [mysql, mariadb] = [mysqlHashOf('x'), hashOf('x')]
  assert.deepEqual([isMysqlHash(mysql), isMysqlHash(mariadb)], [true, false])
  assert.deepEqual(byHash(mysql), { plugin: 'caching_sha2_password', secret: mysql })
  assert.deepEqual(byHash(mariadb), { plugin: 'mysql_native_password', secret: mariadb })
})
