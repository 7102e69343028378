import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { fileEditingIn, withFileEditing } from './config-text.ts'
import { ConfigUnclear } from './problems.ts'

const plain = `<?php
define( 'DB_NAME', 'shop' );

/* That's all, stop editing! Happy publishing. */
if ( ! defined( 'ABSPATH' ) ) define( 'ABSPATH', __DIR__ . '/' );
require_once ABSPATH . 'wp-settings.php';
`
const defined = (value: string) =>
  plain.replace('/* That', `define("DISALLOW_FILE_EDIT" , ${value} );\n/* That`)
const isUnclear = (error: unknown) => error instanceof Problem && error.kind === ConfigUnclear

test('reads whether the editing of files is forbidden', () => {
  assert.equal(fileEditingIn(plain), 'unset')
  assert.equal(fileEditingIn(defined('true')), 'forbidden')
  assert.equal(fileEditingIn(defined('FALSE')), 'allowed')
})

test('adds the constant before WordPress is loaded, and takes away what it added', () => {
  const forbidden = withFileEditing(plain, 'forbidden')
  assert.match(forbidden, /^define\('DISALLOW_FILE_EDIT', true\); [^\n]*\nrequire_once ABSPATH/m)
  assert.equal(fileEditingIn(forbidden), 'forbidden')
  assert.equal(withFileEditing(forbidden, 'forbidden'), forbidden)
  assert.equal(withFileEditing(forbidden, 'unset'), plain)
})

test('changes the value of a definition, and no other byte', () => {
  assert.equal(withFileEditing(defined('true'), 'allowed'), defined('false'))
  assert.equal(withFileEditing(defined('false'), 'forbidden'), defined('true'))
})

test('refuses what is more than one plain definition', () => {
  for (const text of [
    `${defined('true')}define('DISALLOW_FILE_EDIT', false);\n`,
    defined('getenv("X")'),
    plain.replace('/* That', "/* define('DISALLOW_FILE_EDIT', true);\nThat"),
    plain.replace('<?php', '<?php // DISALLOW_FILE_EDIT is not set'),
  ])
    assert.throws(() => fileEditingIn(text), isUnclear, text)
  for (const text of [plain.replace(/^require_once.*/m, ''), `${plain}${plain}`])
    assert.throws(() => withFileEditing(text, 'forbidden'), isUnclear, text)
  assert.throws(() => withFileEditing(defined('true'), 'unset'), isUnclear)
})
