import Type from 'typebox'
import { change } from '../../../core/change.ts'
import { lock, singleLock } from '../../../core/lock.ts'
import { NotFound, problem } from '../../../core/problem.ts'
import { created, data, list, succeeded, success } from '../../../core/reply.ts'
import { Hostname, Id, Optional, Revision, Secret, Text } from '../../../core/schemas.ts'
import { type Context, endpoint } from './sample-context.ts'

const boxLock = lock('box')
const boxesLock = singleLock('boxes')

const Box = Type.Object({ id: Id, label: Text(50), revision: Revision, password: Optional(Secret()) })
const PlainBox = Type.Object({ id: Id, label: Text(50), revision: Revision })
const Path = Type.Object({ id: Id })
const Taken = problem('taken', 409, 'The label is taken')

const load = async ({ params, boxes }: { readonly params: { readonly id: number } } & Context) => {
  const row = await boxes.store.db
    .selectFrom('boxes')
    .selectAll()
    .where('id', '=', params.id)
    .executeTakeFirst()
  if (row === undefined) throw NotFound(`id: there is no box ${params.id}`)
  return row
}

/** Endpoints on stored rows, with pages, targets, revisions and their own failure. */
export const boxEndpoints = {
  listBoxes: endpoint({
    method: 'GET',
    path: '',
    summary: 'List',
    effect: 'reads',
    reply: list(Box, { sort: ['id', 'label'], search: ['label'] }),
    run: ({ query }) => ({ items: [{ id: query.page, label: query.sort, revision: 1 }], total: 7 }),
  }),
  readBox: endpoint({
    method: 'GET',
    path: '/{id}',
    summary: 'Read',
    effect: 'reads',
    params: Path,
    reply: data(Box),
    target: load,
    run: ({ target }) => ({ ...target, password: 'correct-horse' }),
  }),
  createBox: endpoint({
    method: 'POST',
    path: '',
    summary: 'Create',
    effect: 'changes',
    body: Type.Object({
      label: Text(50, { minLength: 1, expects: 'a label' }),
      host: Optional(Hostname),
      password: Optional(Secret()),
    }),
    reply: created(PlainBox),
    throws: { taken: Taken },
    run: ({ body, id }) => {
      if (body.label === 'taken') throw Taken('label: taken is taken')
      const row = { id: id('boxes'), label: body.label, revision: 1 }
      return change({
        summary: `Create ${body.label}`,
        locks: [boxesLock],
        rows: [{ write: 'insert', table: 'boxes', values: row }],
        reply: row,
      })
    },
  }),
  editBox: endpoint({
    method: 'PATCH',
    path: '/{id}',
    summary: 'Edit',
    effect: 'changes',
    params: Path,
    body: Type.Object({ label: Optional(Text(50)) }),
    reply: succeeded,
    target: load,
    run: ({ target, body }) =>
      change({
        summary: 'Edit',
        locks: [boxLock(target.id)],
        rows: [
          {
            write: 'update',
            table: 'boxes',
            where: { id: target.id, revision: target.revision },
            set: { label: body.label ?? target.label, revision: target.revision + 1 },
          },
        ],
        reply: success,
      }),
  }),
  deleteBox: endpoint({
    method: 'DELETE',
    path: '/{id}',
    summary: 'Delete',
    effect: 'destroys',
    params: Path,
    reply: succeeded,
    target: load,
    run: ({ target }) =>
      change({
        summary: 'Delete',
        rows: [{ write: 'delete', table: 'boxes', where: { id: target.id } }],
        reply: success,
      }),
  }),
}
