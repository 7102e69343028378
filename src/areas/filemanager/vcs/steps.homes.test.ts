import { after } from 'node:test'
import { existsSync } from 'node:fs'
import { proveStep } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { asOwner } from '../../../host/owner/testing/homes.ts'
import { type Home, lookAt, makeHome, openHome, removeHome, sh, skip } from '../steps/testing/home.ts'
import { vcsSteps } from './steps.ts'

after(removeHome)

const username = 'alice'
const path = { field: 'path', path: 'site' }
const caller = { name: 'Ann', email: 'ann@example.com' }

const open = (home: Home, door: Stoppable['door']) => vcsSteps(openHome(home, door).ownerOf)
const git = (home: Home, ...args: readonly string[]): string =>
  asOwner(home, 'env', `HOME=${home.home}`, 'git', '-C', 'site', ...args).trim()
const isRepository = ({ home }: Home) => existsSync(`${home}/site/.git`)
const base = {
  skip,
  machine: makeHome,
  look: (home: Home) => ({
    files: lookAt(home),
    commits: isRepository(home) ? Number(git(home, 'rev-list', '--all', '--count')) : null,
    remotes: isRepository(home) ? git(home, 'remote', '--verbose').split('\n')[0] : '',
  }),
}
const begin = `export HOME="$PWD"; git init -q site; cd site; git config user.name a; git config user.email a@example.com`
const commit = 'git add --all; git commit -q -m'
const files = (...lines: readonly string[]) => ['site/', ...lines.map((line) => `site/${line}`)]

proveStep<Home>('filemanager.vcs_init', {
  ...base,
  open: (home, door) => open(home, door).vcsInit,
  withoutHandEdit: 'final',
  cases: {
    'a folder': {
      args: { username, path, branch: 'main' },
      arrange: sh('mkdir site'),
      wanted: { files: files(), commits: 0, remotes: '' },
    },
  },
})

proveStep<Home>('filemanager.vcs_commit', {
  ...base,
  open: (home, door) => open(home, door).vcsCommit,
  withoutHandEdit: 'final',
  cases: {
    'all files': {
      args: { username, path, message: 'First', what: 'all', author: {}, caller },
      arrange: sh(`${begin}; echo a >a`),
      wanted: { files: files('a: a'), commits: 1, remotes: '' },
    },
  },
})

proveStep<Home>('filemanager.vcs_revert', {
  ...base,
  open: (home, door) => open(home, door).vcsRevert,
  withoutHandEdit: 'its undo takes nothing back',
  cases: {
    'a commit': {
      args: (home) => ({ username, path, commit: git(home, 'rev-parse', 'HEAD'), caller }),
      arrange: sh(`${begin}; echo a >a; ${commit} one; echo b >b; ${commit} two`),
      wanted: { files: files('a: a'), commits: 3, remotes: '' },
      repeats: 'a second act takes the commit back again, or has nothing to commit',
    },
    'what is not committed': {
      args: { username, path, what: 'all', caller },
      arrange: sh(`${begin}; echo a >a; ${commit} one; echo changed >a`),
      wanted: { files: files('a: a'), commits: 1, remotes: '' },
    },
  },
})

proveStep<Home>('filemanager.vcs_remote', {
  ...base,
  open: (home, door) => open(home, door).vcsRemote,
  cases: {
    added: {
      args: { username, path, action: 'add', name: 'origin', url: 'https://example.com/a.git' },
      arrange: sh(begin),
      wanted: { files: files(), commits: 0, remotes: 'origin\thttps://example.com/a.git (fetch)' },
      handEdit: sh('git -C site remote add origin https://example.com/mine.git'),
      refusedAfter: sh('git -C site remote add origin https://example.com/mine.git'),
    },
    removed: {
      args: { username, path, action: 'remove', name: 'origin' },
      arrange: sh(`${begin}; git remote add origin https://example.com/a.git`),
      wanted: { files: files(), commits: 0, remotes: '' },
    },
  },
})
