import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { changedConfig, includesOthers, namesConstant, readConstant, readPrefix } from './wordpress.ts'

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

test('reads through comments, and refuses what is defined more than once', () => {
  const old = `/*\ndefine('DB_NAME', 'old');\n*/\n# define('DB_NAME', 'older');\n`
  assert.equal(readConstant(config.replace('<?php', `<?php\n${old}`), 'DB_NAME'), 'ada_wp1')
  const changed = changedConfig(config.replace('<?php', `<?php\n${old}`), change)
  assert.match(changed, /^define\('DB_NAME', 'old'\);$/m)
  assert.match(changed, /^define\( "DB_NAME", 'ada_wp2' \);$/m)
  assert.equal(readConstant("define('A', 'http://x'); // it's\ndefine('DB_NAME', 'b');", 'DB_NAME'), 'b')
  for (const twice of [
    "if (true) {\ndefine('DB_NAME', 'a');\n} else {\ndefine('DB_NAME', 'b');\n}",
    "if (!defined('DB_NAME')) define('DB_NAME', 'a');",
  ])
    assert.throws(() => readConstant(twice, 'DB_NAME'), /names DB_NAME more than once/)
})

test('tells a configuration that leads elsewhere', () => {
  const plain = "/* include 'x.php'; */\nrequire_once ABSPATH . 'wp-settings.php';"
  assert.equal(includesOthers(plain), false)
  assert.equal(includesOthers(`require __DIR__ . '/env.php';\n${plain}`), true)
  assert.equal(
    namesConstant("// define('MULTISITE', true);\ndefine('WP_ALLOW_MULTISITE', true);", 'MULTISITE'),
    false,
  )
  assert.equal(namesConstant("define( 'MULTISITE', true );", 'MULTISITE'), true)
})

test('reads the prefix of tables that is set once', () => {
  assert.equal(readPrefix("// $table_prefix = 'no_';\n$table_prefix = 'wp_';"), 'wp_')
  assert.equal(readPrefix('$table_prefix="a1_" ;'), 'a1_')
  assert.equal(readPrefix("$table_prefix = 'a_';\n$table_prefix = 'b_';"), undefined)
  assert.equal(readPrefix("$table_prefix = getenv('P');"), undefined)
  assert.equal(readPrefix(''), undefined)
})

test('takes no longer for a text that its owner made to last', () => {
  for (const hostile of ["'\\", '"\\\n', '/*', '"\\', '#', 'define(', "define('DB_NAME',"])
    assert.equal(readConstant(hostile.repeat(200_000), 'OTHER'), undefined)
})

test('refuses a configuration that computes its database', () => {
  assert.throws(
    () => changedConfig(config.replace(/define\('DB_USER.*/, ''), change),
    (error) => error instanceof Problem && /does not define DB_USER as plain text/.test(error.message),
  )
})
