import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, describe, it } from 'node:test'
import { noteMigrations } from '../store/tolerated.ts'
import { paths } from './paths.ts'
import { assertOpensStore } from './store-of-version.ts'

describe('the return to an earlier version', () => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-store-of-version-`)
  after(() => rmSync(folder, { recursive: true }))

  const made = (name: string): string => {
    mkdirSync(`${folder}/${name}`)
    return `${folder}/${name}`
  }
  const inSqlite = made('sqlite')
  const onServer = made('server')
  noteMigrations(onServer, [])
  const before = made('0.0.9')
  writeFileSync(`${before}/package.json`, '{ "version": "0.0.9", "dependencies": { "kysely": "1" } }')
  const present = made('present')
  copyFileSync(paths.packageJson, `${present}/package.json`)

  it('is refused where the store is on a server that the version cannot use', () => {
    assert.throws(
      () => assertOpensStore({ dataDir: onServer, to: '0.0.9', versionFolder: before }),
      /^Error: Version 0\.0\.9 cannot use the PostgreSQL server .*"hostreeve store copy --to sqlite:"$/,
    )
  })

  it('is not refused where the version can use the server, or the store is in SQLite', () => {
    assertOpensStore({ dataDir: onServer, to: '1.0.0', versionFolder: present })
    assertOpensStore({ dataDir: inSqlite, to: '0.0.9', versionFolder: before })
  })
})
