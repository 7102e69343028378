import { after } from 'node:test'
import { proveStep } from '../../../../test/support/step-suite.ts'
import { type Home, lookAt, makeHome, openHome, removeHome, sh, skip } from '../steps/testing/home.ts'
import { placeStep } from './step.ts'

after(removeHome)

const path = (text: string) => ({ field: 'path', path: text })
const places = ['a', 'folder'].map((name) => ({
  from: path(name),
  to: path(`to/${name}`),
  overwrite: false,
}))
const arrange = sh('mkdir to folder; echo a >a; echo b >folder/b')

proveStep<Home>('filemanager.place', {
  skip,
  machine: makeHome,
  look: lookAt,
  open: (home, door) => {
    const { ownerOf, recorder } = openHome(home, door)
    return placeStep(ownerOf, recorder)
  },
  withoutHandEdit: 'final',
  cases: {
    copies: {
      args: { username: 'alice', verb: 'copy', by: 1, places },
      arrange,
      wanted: ['a: a', 'folder/', 'folder/b: b', 'to/', 'to/a: a', 'to/folder/', 'to/folder/b: b'],
    },
    moves: {
      args: { username: 'alice', verb: 'move', by: 1, places },
      arrange,
      wanted: ['to/', 'to/a: a', 'to/folder/', 'to/folder/b: b'],
    },
  },
})
