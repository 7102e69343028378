import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import { StatementFilter } from '../../sql-import/filter.ts'
import { StatementRefused } from '../../sql-import/problems.ts'
import { dialectOf } from './rules.ts'

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

const whole = `-- a comment; with ' in it
create table "a;""b" (a text default 'it''s; ok', b text default E'\\'; --');
/* nested /* comment */ ; still */ select $body$ ; ' \\! $x$ $body$, $$;$$, $1 from t;
create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end;
copy t (a) from stdin;
drop database x;
\\\\.
it's; "data
\\.
create rule r as on insert to t do also (delete from t; delete from u);
select 1;
`

describe('the text of a dump of PostgreSQL', () => {
  test('passes unchanged, in whatever chunks it arrives', () => {
    for (const size of [1, 2, 3, 7, 64, 1000, 1_000_000])
      assert.equal(filtered(whole, size), whole, String(size))
  })

  test('loses what depends on the server that it is from, and keeps its lines', () => {
    for (const [text, passed] of [
      ['alter table t owner to x;\nselect 1;', '\nselect 1;'],
      ['grant all\non t to x;\nselect 1;', '\n\nselect 1;'],
      ['begin;\nselect 1;\ncommit;\n', '\nselect 1;\n\n'],
      ['\\restrict abc\nselect 1;\n\\unrestrict abc\n', '\nselect 1;\n\n'],
      ['create database other;\nselect 1;', '\nselect 1;'],
      ['-- head\n/* x */ reset role;\nselect 1;', '-- head\n/* x */ \nselect 1;'],
    ] as const)
      for (const size of [1, 1000]) assert.equal(filtered(text, size), passed, text)
  })

  test('is refused with commands of psql, wherever they are outside of quotations', () => {
    for (const text of [
      '\\! ls\n',
      'select 1 \\g |ls\n',
      'select 1;\\connect other\n',
      '/* x */ \\copy t from program ls\n',
      'drop database other;',
      'copy t from stdin;\n\\.\n\\! ls\n',
      "select '\\'; \\! ls\n",
    ])
      for (const size of [1, 1000])
        assert.throws(
          () => filtered(text, size),
          (error: unknown) => error instanceof Problem && error.kind === StatementRefused,
          text,
        )
  })

  test('that breaks off is told', () => {
    for (const [text, isOpen] of [
      ["select 'a", true],
      ['copy t from stdin;\n1\n', true],
      ['copy t from stdin;\n1\n\\.', false],
      ['select $x$ $y$', true],
      ['select (1', true],
      ['select 1', false],
      ['select 1; -- end', false],
    ] as const) {
      const dialect = dialectOf('ada_shop')
      const filter = new StatementFilter(dialect)
      filter.push(Buffer.from(text))
      filter.end()
      assert.equal(dialect.splitter.isOpen, isOpen, text)
    }
  })
})
