import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import { packingOf } from '../../sql-import/packing.ts'
import { checkedStart } from './content.ts'
import { dialectOf } from './dialect.ts'
import { StatementFilter } from '../../sql-import/filter.ts'
import { NotSql, StatementRefused } from '../../sql-import/problems.ts'
import { StatementSplitter } from './statements.ts'

const is = (kind: unknown, message: RegExp) => (error: unknown) =>
  error instanceof Problem && error.kind === kind && message.test(error.message)

/** Filters a text that arrives in chunks of a size. */
function filtered(text: string, size = 1_000_000): string {
  const filter = new StatementFilter(dialectOf('ada_shop'))
  const bytes = Buffer.from(text)
  const out: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) out.push(filter.push(bytes.subarray(at, at + size)))
  const passed = Buffer.concat([...out, filter.end()]).toString()
  if (filter.refusal !== undefined) throw filter.refusal
  return passed
}

/** Splits a text that arrives in chunks of a size. */
function statementsOf(text: string, size: number): string[] {
  const splitter = new StatementSplitter()
  const bytes = Buffer.from(text, 'latin1')
  const pieces = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(...splitter.push(bytes.subarray(at, at + size)))
  pieces.push(...splitter.end())
  const found = ['']
  for (const { bytes: part, ends } of pieces.filter(({ kind }) => kind === 'statement')) {
    found[found.length - 1] += part.toString('latin1')
    if (ends) found.push('')
  }
  return found.filter((statement) => statement !== '')
}

const samples: Readonly<Record<string, readonly string[]>> = {
  'select 1;select 2': ['select 1;', 'select 2'],
  'insert into t values (\'a;b\', "c;d", `e;f`);select 2;': [
    'insert into t values (\'a;b\', "c;d", `e;f`);',
    'select 2;',
  ],
  "select 'it''s; \\'; x', '\\\\';select 2;": ["select 'it''s; \\'; x', '\\\\';", 'select 2;'],
  '-- a; b\n# c; d\n/* e; f */ select 1; --g; h\nselect 2;': ['select 1;', 'select 2;'],
  'select 1 -- a; b\n, 2 /* ; */ # ;\n;select 5--2;': [
    'select 1 -- a; b\n, 2 /* ; */ # ;\n;',
    'select 5--2;',
  ],
  "/*!40101 SET NAMES utf8 */;/*M! select ';' */;": ['/*!40101 SET NAMES utf8 */;', "/*M! select ';' */;"],
  'DELIMITER ;;\nbegin a; b; end;;\ndelimiter ;\nselect 1;': ['begin a; b; end;;', 'select 1;'],
  'delimiter $$\nselect "$$"; $$\nDELIMITER ;\n;select 2;': ['select "$$"; $$', 'select 2;'],
  'select `a``;b`;': ['select `a``;b`;'],
}

for (const [text, wanted] of Object.entries(samples))
  test(`splits ${JSON.stringify(text)} in chunks of any size`, () => {
    for (const size of [1, 2, 3, 7, 1000]) assert.deepEqual(statementsOf(text, size), wanted, String(size))
  })

test('splits a statement of a megabyte with every byte in a string, whatever the chunks', () => {
  const value = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1')
  const quoted = value.replaceAll(/['\\]/g, '\\$&').repeat(2000)
  const text = `insert into t values ('${quoted}');select 2;`
  for (const size of [977, 65_536])
    assert.ok(statementsOf(text, size).join('|') === `insert into t values ('${quoted}');|select 2;`)
})

const withoutDefiner: Readonly<Record<string, string>> = {
  'CREATE DEFINER=`root`@`localhost` PROCEDURE `p`() SELECT 1;': 'CREATE  PROCEDURE `p`() SELECT 1;',
  '/*!50003 CREATE*/ /*!50017 DEFINER=`a b`@`%`*/ /*!50003 TRIGGER t BEFORE INSERT ON x FOR EACH ROW SET @a=1 */;':
    '/*!50003 CREATE*/ /*!50017 */ /*!50003 TRIGGER t BEFORE INSERT ON x FOR EACH ROW SET @a=1 */;',
  '/*!50001 CREATE ALGORITHM=UNDEFINED */\n/*!50013 DEFINER=`r``t`@`h` SQL SECURITY DEFINER */\n/*!50001 VIEW `v` AS select 1 */;':
    '/*!50001 CREATE ALGORITHM=UNDEFINED */\n/*!50013  SQL SECURITY DEFINER */\n/*!50001 VIEW `v` AS select 1 */;',
  "create or replace definer = 'root'@'%' event e on schedule every 1 day do select 1;":
    'create or replace event e on schedule every 1 day do select 1;',
  'create /* who */ definer=current_user() function f() returns int return 1;':
    'create /* who */ function f() returns int return 1;',
  '/*M!999999\\- enable the sandbox mode */ \ncreate definer=root view v as select 1;':
    '/*M!999999\\- enable the sandbox mode */ \ncreate view v as select 1;',
  'CREATE DEFINER=root FUNCTION f() RETURNS INT RETURN 1;': 'CREATE FUNCTION f() RETURNS INT RETURN 1;',
}

describe('DEFINER clauses', () => {
  for (const [text, wanted] of Object.entries(withoutDefiner))
    test(`are left out of ${text.slice(0, 60)}`, () => {
      for (const size of [1, 1000])
        assert.equal(filtered(text, size).replaceAll(/ +/g, ' '), wanted.replaceAll(/ +/g, ' '))
    })

  test('are kept where they are a part of a text, a comment or a body', () => {
    for (const text of [
      "insert into t values ('CREATE DEFINER=`root`@`localhost` VIEW v');",
      "create table t (a int comment 'definer=root');",
      'create procedure p() begin /* definer=root */ select 1; end',
    ])
      assert.equal(filtered(text), text)
  })
})

test('leaves out settings of the server and of its binary log, and keeps the lines', () => {
  for (const dropped of [
    'SET GLOBAL max_connections = 1;',
    'SET @@GLOBAL.GTID_PURGED=/*!80000 +*/ "x;y";',
    'SET @@SESSION.SQL_LOG_BIN= 0;',
    'SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN;',
    '/*!50000 SET PERSIST x = 1 */;',
    'set session\nx = 1,\nglobal y = 2;',
    'CREATE DATABASE /*!32312 IF NOT EXISTS*/ `other` /*!40100 DEFAULT CHARACTER SET utf8 */;',
    'drop schema if exists ada_shop;',
  ]) {
    const out = filtered(`select 1;\n${dropped}\nselect 2;`)
    assert.deepEqual(out.split('\n').filter(Boolean), ['select 1;', 'select 2;'], dropped)
    assert.equal(out.split('\n').length, dropped.split('\n').length + 2)
  }
  for (const kept of [
    'SET NAMES utf8;',
    "SET @a = 'global';",
    '/*!40014 SET UNIQUE_CHECKS=0 */;',
    'USE `ada_shop`;',
  ])
    assert.equal(filtered(kept), kept)
})

test('refuses what is meant for another database, with the line and the statement', () => {
  for (const [text, message] of [
    ['select 1;\n\nUSE `mysql`;', /^line 3: USE mysql:/],
    ['use other;', /^line 1: USE other: .* ada_shop/],
    ['/*!50000 use*/ `ada_shop2`;', /USE ada_shop2/],
    ['DROP DATABASE IF EXISTS bob_shop;', /DROP DATABASE bob_shop/],
  ] as const)
    assert.throws(() => filtered(text), is(StatementRefused, message), text)
})

test('passes on whole statements alone before one that it refuses', () => {
  const filter = new StatementFilter(dialectOf('ada_shop'))
  assert.equal(String(filter.push(Buffer.from('select 1; use mysql; select 2;'))), '')
  assert.equal(String(filter.end()).trim(), 'select 1;')
  assert.deepEqual([filter.count, filter.refusal?.kind], [1, StatementRefused])
})

test('finds the statement on a line that the server names', () => {
  const filter = new StatementFilter(dialectOf('ada_shop'))
  filter.push(Buffer.from('select 1;\nSET GLOBAL a = 1;\nselect\n2;\n\nselect 3;'))
  filter.end()
  assert.equal(filter.count, 3)
  assert.deepEqual(
    [3, 4, 6].map((line) => filter.at(line)?.number),
    [2, 2, 3],
  )
  assert.equal(filter.at(6)?.text, 'select 3;')
})

test('remembers only what a client may still hold', () => {
  const filter = new StatementFilter(dialectOf('ada_shop'))
  const big = Buffer.from(`select '${'x'.repeat(1_000_000)}';\n`)
  for (let count = 0; count < 30; count += 1) filter.push(big)
  assert.equal(filter.at(1), undefined)
  assert.equal(filter.at(28)?.number, 28)
})

test('refuses what is not SQL of MariaDB or MySQL', () => {
  const refusals: readonly (readonly [string | Buffer, RegExp])[] = [
    ['', /empty/],
    ['<!DOCTYPE html><html>', /HTML/],
    ['\n <html>', /HTML/],
    [Buffer.from('\ufeffselect 1;', 'utf16le'), /UTF-16/],
    [Buffer.from('select 1;', 'utf16le'), /UTF-16/],
    ['--\n-- PostgreSQL database dump\n--\n', /PostgreSQL/],
    ['PGDMP\x01', /PostgreSQL/],
    ['SQLite format 3\0', /SQLite/],
    ['PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;', /SQLite/],
    ['/* x */\nSET ANSI_NULLS ON\nGO', /SQL Server/],
    ['BZh91AY', /gzip and zip/],
  ]
  for (const [text, message] of refusals)
    assert.throws(() => checkedStart(Buffer.from(text)), is(NotSql, message), String(text))
  for (const text of ['hello world', 'root:x:0:0:', '{"a": 1}'])
    assert.throws(() => filtered(text), is(NotSql, /it begins with/), text)
})

test('takes away a byte order mark, and tells how a file is packed by its content', () => {
  assert.equal(checkedStart(Buffer.from('\ufeffselect 1')).toString(), 'select 1')
  assert.deepEqual(
    [Buffer.from([0x1f, 0x8b, 8]), Buffer.from('PK\x03\x04'), Buffer.from('select')].map(packingOf),
    ['gzip', 'zip', 'plain'],
  )
})
