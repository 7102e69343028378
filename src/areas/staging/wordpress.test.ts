import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { changedConfig, readConstant } from './wordpress.ts'

const config = `<?php
// define('DB_NAME', 'comment');
define( "DB_NAME", 'ada_wp1' );
define('DB_USER', 'ada_wp1');
define('DB_PASSWORD', 'it\\'s \\\\ $1 secret');
define('WP_HOME', 'https://example.com');
define('WP_SITEURL', 'https://www.example.com/blog');
define('DOMAIN_CURRENT_SITE', 'example.com');
define('OTHER', 'https://example.com.evil.test');
`
const change = {
  ...{ database: 'ada_wp2', account: 'ada_wp2', password: 'new' },
  ...{ names: ['example.com', 'www.example.com'], to: 'staging.example.com', scheme: 'http' as const },
}

test('reads constants that are plain text, and none in a comment', () => {
  assert.equal(readConstant(config, 'DB_NAME'), 'ada_wp1')
  assert.equal(readConstant(config, 'DB_PASSWORD'), "it's \\ $1 secret")
  assert.equal(readConstant(config, 'DB_HOST'), undefined)
  assert.equal(readConstant("define('DB_NAME', getenv('X'));", 'DB_NAME'), undefined)
})

test('gives the configuration another database and address, and leaves the rest', () => {
  const changed = changedConfig(config, change)
  assert.equal(readConstant(changed, 'DB_NAME'), 'ada_wp2')
  assert.equal(readConstant(changed, 'DB_PASSWORD'), 'new')
  assert.match(changed, /^\/\/ define\('DB_NAME', 'comment'\);$/m)
  assert.match(changed, /'WP_HOME', 'http:\/\/staging\.example\.com'/)
  assert.match(changed, /'WP_SITEURL', 'http:\/\/staging\.example\.com\/blog'/)
  assert.match(changed, /'DOMAIN_CURRENT_SITE', 'staging\.example\.com'/)
  assert.match(changed, /https:\/\/example\.com\.evil\.test/)
  assert.equal(changedConfig(changed, change), changed, 'a second time changes nothing')
})

test('refuses a configuration that computes its database', () => {
  assert.throws(
    () => changedConfig(config.replace(/define\('DB_USER.*/, ''), change),
    (error) => error instanceof Problem && /does not define DB_USER as plain text/.test(error.message),
  )
})
