import Type from 'typebox'
import { change, step } from '../../core/change.ts'
import { from } from '../../core/returned.ts'
import { Optional, Prose, Text } from '../../core/schemas.ts'
import { work } from './context.ts'
import { hourMs } from './endpoints/target.ts'
import { compressKind, extractKind } from './job-kinds.ts'
import { extractionLock } from './locks.ts'
import { Compressed, Extracted } from './model.ts'
import { filesOfCaller } from './named-files.ts'
import { StoredPath, namesOf } from './paths.ts'

/** Packs files into an archive. An interrupted attempt leaves nothing behind. */
export const compressing = work({
  kind: compressKind,
  lane: 'files',
  input: Type.Object({
    username: Text(64),
    paths: Type.Array(StoredPath),
    archive: Prose(255),
    folder: Optional(StoredPath),
  }),
  reply: Compressed,
  timeoutMs: 6 * hourMs,
  attempts: 1,
  resumes: false,
  decide: async ({ input, caller, filemanager }) => {
    await filesOfCaller(filemanager, input.username, caller)
    const pack = step(filemanager.steps.compress, input)
    return change({
      summary: `Pack ${namesOf(input.paths)} of ${input.username} into ${input.archive}`,
      steps: [pack],
      reply: { archive: from(pack, 'archive'), size_bytes: from(pack, 'bytes') },
    })
  },
})

/** Unpacks an archive into a folder. An interrupted attempt leaves nothing behind. */
export const extracting = work({
  kind: extractKind,
  lane: 'files',
  input: Type.Object({
    username: Text(64),
    archive: StoredPath,
    dest: StoredPath,
    by: Optional(Type.Integer()),
  }),
  reply: Extracted,
  timeoutMs: 6 * hourMs,
  attempts: 1,
  resumes: false,
  decide: async ({ input, caller, filemanager }) => {
    const { username, archive, dest } = input
    await filesOfCaller(filemanager, username, caller)
    const unpack = step(filemanager.steps.extract, input)
    return change({
      summary: `Unpack ${archive.path} of ${username} into ${dest.path || 'the home'}`,
      locks: [extractionLock(username, dest.path)],
      steps: [unpack],
      reply: {
        files: from(unpack, 'files'),
        size_bytes: from(unpack, 'size_bytes'),
        replaced: from(unpack, 'replaced'),
        not_kept: from(unpack, 'not_kept'),
      },
    })
  },
})
