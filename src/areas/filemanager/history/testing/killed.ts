import { openContents } from '../../../../host/contents.ts'
import { openOwners } from '../../../../host/owner/index.ts'
import { openStore } from '../../../../store/store.ts'
import { History } from '../history.ts'
import { defaultLimits } from '../limits.ts'
import { versionQueries } from '../store.ts'
import { migrations, textOf } from './tables.ts'

// A panel that rewrites two files in turn until it is killed: node killed.ts DATA HOME UID
const [dataDir = '', home = '', uid = ''] = process.argv.slice(2)
const store = await openStore({ dataDir, migrations, now: new Date() })
const owner = openOwners().of({ name: 'carol', uid: Number(uid), gid: Number(uid), home })
const log = { info() {}, warn() {}, error() {} }
const contents = openContents(`${dataDir}/history`)
const history = new History({
  store,
  queries: versionQueries(store),
  contents,
  limits: { ...defaultLimits, maxVersions: 5 },
  log,
})
for (let turn = 0; ; turn++) {
  const path = { field: 'path', path: `file-${turn % 2}` }
  const files = { username: 'carol', userId: 1, owner }
  await history.replacing({ files, path, by: null, through: 'write' }, () =>
    owner.write(path, Buffer.from(textOf(turn))),
  )
  process.stdout.write(`${turn}\n`)
}
