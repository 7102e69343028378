import { after } from 'node:test'
import { existsSync, readdirSync } from 'node:fs'
import { proveStep } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { asOwner } from '../../../host/owner/testing/homes.ts'
import { type Home, lookAt, makeHome, openHome, removeHome, sh, skip } from './testing/home.ts'
import { filemanagerSteps } from './index.ts'

after(removeHome)

const text = (path: string) => ({ field: 'path', path })
const username = 'alice'

const open = (home: Home, door: Stoppable['door']) => {
  const { ownerOf, recorder } = openHome(home, door)
  return filemanagerSteps(ownerOf, recorder)
}
const base = { skip, machine: makeHome, look: lookAt }
const bytes = (content: string) => () => Buffer.from(content)

proveStep<Home>('filemanager.write', {
  ...base,
  open: (home, door) => open(home, door).write,
  cases: {
    'over a file': {
      args: { username, path: text('a') },
      live: bytes('new'),
      arrange: sh('echo old >a'),
      wanted: ['a: new'],
    },
    'a new file': {
      args: { username, path: text('a'), ifAbsent: true },
      callsAsIn: 'over a file',
      live: bytes('new'),
      wanted: ['a: new'],
      handEdit: sh('echo mine >a'),
    },
  },
})

proveStep<Home>('filemanager.mkdir', {
  ...base,
  open: (home, door) => open(home, door).mkdir,
  cases: {
    'a new folder': {
      args: { username, path: text('folder'), recursive: false },
      wanted: ['folder/'],
      repeats: 'it refuses a folder that is there',
      handEdit: sh('echo mine >folder'),
    },
    'folders in each other': {
      args: { username, path: text('a/b/c'), recursive: true },
      arrange: sh('mkdir a'),
      wanted: ['a/', 'a/b/', 'a/b/c/'],
    },
  },
})

proveStep<Home>('filemanager.remove', {
  ...base,
  open: (home, door) => open(home, door).remove,
  withoutHandEdit: 'final',
  cases: {
    'for good': {
      args: { username, paths: [text('a'), text('folder')], trash: false },
      arrange: sh('mkdir folder && echo x >folder/x && echo a >a'),
      wanted: [],
    },
    'to the trash': {
      args: { username, paths: [text('a')], trash: true },
      arrange: sh('echo a >a'),
      wanted: [],
    },
  },
})

const place = { username, overwrite: false, into: true, by: 1 }

proveStep<Home>('filemanager.move', {
  ...base,
  open: (home, door) => open(home, door).move,
  cases: {
    'to a new name': {
      args: { ...place, from: text('a'), to: text('b') },
      arrange: sh('echo a >a'),
      wanted: ['b: a'],
      handEdit: sh('echo mine >b'),
    },
    'over a file': {
      args: { ...place, overwrite: true, from: text('a'), to: text('b') },
      arrange: sh('echo a >a; echo b >b'),
      wanted: ['b: a'],
    },
  },
})

proveStep<Home>('filemanager.copy', {
  ...base,
  open: (home, door) => open(home, door).copy,
  cases: {
    'of a folder': {
      args: { ...place, into: false, from: text('tree'), to: text('copied') },
      arrange: sh('mkdir tree; echo x >tree/x'),
      wanted: ['copied/', 'copied/x: x', 'tree/', 'tree/x: x'],
      handEdit: sh('echo mine >copied'),
    },
    'into a folder': {
      args: { ...place, from: text('a'), to: text('into') },
      arrange: sh('mkdir into; echo a >a'),
      wanted: ['a: a', 'into/', 'into/a: a'],
    },
    'over a file': {
      args: { ...place, overwrite: true, from: text('a'), to: text('b') },
      callsAsIn: 'into a folder',
      arrange: sh('echo a >a; echo b >b'),
      wanted: ['a: a', 'b: a'],
    },
  },
})

proveStep<Home>('filemanager.compress', {
  ...base,
  open: (home, door) => open(home, door).compress,
  cases: {
    'a folder': {
      args: { username, paths: [text('tree')], archive: 'x.tar.gz' },
      arrange: sh('mkdir tree; echo x >tree/x'),
      wanted: ['tree/', 'tree/x: x', 'x.tar.gz'],
      repeats: 'it takes the next free name',
      handEdit: sh('echo mine >x.tar.gz'),
      onTop: ['tree/', 'tree/x: x', 'x.tar.gz', 'x.tar.gz.1'],
    },
  },
})

proveStep<Home>('filemanager.extract', {
  ...base,
  open: (home, door) => open(home, door).extract,
  cases: {
    'into a new folder': {
      args: { username, archive: text('tree.tar'), dest: text('out') },
      arrange: sh('mkdir tree; echo x >tree/x; tar -cf tree.tar tree; rm -r tree'),
      wanted: ['out/', 'out/tree/', 'out/tree/x: x', 'tree.tar'],
      handEdit: sh('echo mine >out'),
    },
    'over a folder': {
      args: { username, archive: text('tree.tar'), dest: text('') },
      arrange: sh('mkdir tree; echo x >tree/x; tar -cf tree.tar tree; echo old >tree/x'),
      wanted: ['tree/', 'tree.tar', 'tree/x: x'],
    },
  },
})

proveStep<Home>('filemanager.chmod', {
  ...base,
  open: (home, door) => open(home, door).chmod,
  withoutHandEdit: 'final',
  cases: {
    'of a file': {
      args: { username, path: text('a'), mode: 0o600, recursive: false },
      arrange: sh('echo a >a'),
      wanted: ['a (600): a'],
    },
    'of a tree': {
      args: { username, path: text('tree'), mode: 0o700, recursive: true },
      arrange: sh('mkdir tree; echo x >tree/x'),
      wanted: ['tree/ (700)', 'tree/x (700): x'],
    },
  },
})

proveStep<Home>('filemanager.lock', {
  ...base,
  open: (home, door) => open(home, door).lock,
  look: ({ home }) =>
    readdirSync(home).map(
      (name) =>
        `${name} ${asOwner({ home, uid: 0, gid: 0, name: 'root' }, 'lsattr', '-d', name).includes('i') ? 'locked' : 'free'}`,
    ),
  cases: {
    'a file': {
      args: { username, path: text('a'), isLocked: true, recursive: false },
      arrange: sh('echo a >a'),
      wanted: ['a locked'],
      handEdit: sh('rm a'),
    },
  },
})

const trash = ({ home }: Home) => {
  const path = `${home}/.hostreeve-trash`
  return existsSync(path) ? readdirSync(path) : []
}
const seen = (home: Home) => ({ files: lookAt(home), thrownAway: trash(home).length })
const throwAway = async (home: Home) => {
  sh('echo a >a; echo b >b')(home)
  await openHome(home, (thing) => thing).owner.remove(['a', 'b'], { trash: true })
}

proveStep<Home>('filemanager.restore', {
  ...base,
  look: seen,
  open: (home, door) => open(home, door).restore,
  withoutHandEdit: 'final',
  cases: {
    'all of the trash': {
      args: (home) => ({ username, ids: trash(home) }),
      arrange: throwAway,
      wanted: { files: ['a: a', 'b: b'], thrownAway: 0 },
    },
  },
})

proveStep<Home>('filemanager.empty', {
  ...base,
  look: seen,
  open: (home, door) => open(home, door).empty,
  withoutHandEdit: 'final',
  cases: {
    'all of the trash': { args: { username }, arrange: throwAway, wanted: { files: [], thrownAway: 0 } },
    'one thing of it': {
      args: (home) => ({ username, ids: trash(home).slice(0, 1) }),
      arrange: throwAway,
      wanted: { files: [], thrownAway: 1 },
    },
  },
})
