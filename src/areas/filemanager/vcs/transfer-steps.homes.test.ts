import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { type GitHttp, serveGit } from '../../../../test/support/git-http.ts'
import { proveStep } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { openAddresses } from '../../../host/fetch/index.ts'
import { type Home, lookAt, makeHome, openHome, removeHome, sh, skip } from '../steps/testing/home.ts'
import { transferSteps } from './transfer-steps.ts'

/** A home, and the repository of its own on the server. */
interface Machine {
  readonly home: Home
  readonly repository: string
}

const user = { name: 'ann', password: 'a-very-secret-token' }
let [server, root, made] = [{} as GitHttp, '', 0]
before(async () => {
  root = mkdtempSync(join(tmpdir(), 'vcs-steps-'))
  server = await serveGit({ root, user })
})
after(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
  await removeHome()
})

const git = (repository: string, args: readonly string[], input = '') =>
  execFileSync('git', ['-c', 'safe.directory=*', '-C', join(root, repository), ...args], {
    encoding: 'utf8',
    input,
  }).trim()
const firstCommit = `commit refs/heads/main
committer S <s@x> 1700000000 +0000
data 5
First
M 100644 inline index.html
data 4
shop
`
const machine = (): Machine => {
  const repository = `${++made}.git`
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', join(root, repository)])
  return { home: makeHome(), repository }
}
const filled = ({ repository }: Machine) => git(repository, ['fast-import', '--quiet'], firstCommit)
const commit = (branch: string, { repository }: Machine) => git(repository, ['rev-parse', branch])
const open = ({ home }: Machine, door: Stoppable['door']) =>
  transferSteps({
    ownerOf: openHome(home, door).ownerOf,
    addresses: openAddresses({}),
    vcs: { hostKeysOf: async () => undefined, keepHostKeys: async () => {} },
  })
const base = {
  skip,
  machine,
  withoutHandEdit: 'final',
  look: ({ home, repository }: Machine) => ({
    files: lookAt(home),
    there: Number(git(repository, ['rev-list', '--all', '--count'])),
  }),
}
const path = { field: 'path', path: 'site' }
const here = { username: 'alice', path, isAdmin: true }
const address = () => `http://127.0.0.1:${server.port}`
const onMain = () => ({ ...here, remote: 'origin', address: address(), branch: 'main' })
const live = () => ({ signIn: { login: user.name, password: user.password } })
const fetched = { files: ['site/', 'site/index.html: shop'], there: 1 }
const begun = ({ home, repository }: Machine, script = 'true') =>
  sh(`export HOME="$PWD"; git init -q -b main site; cd site; git config user.name a; git config user.email a@x
    git remote add origin ${address()}/${repository}; ${script}`)(home)

proveStep<Machine>('filemanager.vcs_clone', {
  ...base,
  open: (each, door) => open(each, door).vcsClone,
  cases: {
    'into a new folder': {
      args: ({ repository }) => ({ ...here, url: `${address()}/${repository}` }),
      live,
      arrange: filled,
      wanted: fetched,
      returns: (each) => ({ repository: 'site', commit: commit('main', each) }),
    },
  },
})

proveStep<Machine>('filemanager.vcs_pull', {
  ...base,
  open: (each, door) => open(each, door).vcsPull,
  cases: {
    'the first commit': {
      args: () => ({ ...onMain(), merge: false, caller: { name: 'Ann', email: 'ann@example.com' } }),
      live,
      arrange: (each) => {
        filled(each)
        begun(each)
      },
      wanted: fetched,
      returns: (each) => ({ before: null, commit: commit('main', each) }),
    },
  },
})

proveStep<Machine>('filemanager.vcs_push', {
  ...base,
  open: (each, door) => open(each, door).vcsPush,
  cases: {
    'the first commit': {
      args: () => ({ ...onMain(), tags: false, upstream: true, force: false }),
      live,
      arrange: (each) => begun(each, 'echo shop >index.html; git add --all; git commit -q -m First'),
      wanted: fetched,
    },
  },
})
