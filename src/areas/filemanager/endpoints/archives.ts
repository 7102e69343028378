import { change, step } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import { data } from '../../../core/reply.ts'
import { archiveEndings, formatOf } from '../../../host/owner/index.ts'
import { endpoint } from '../context.ts'
import { listed, own } from '../failures.ts'
import { CompressBody, Compressed, ExtractBody, Extracted } from '../model.ts'
import { namesOf, pathOf, pathsOf } from '../paths.ts'
import { byBody, hourMs } from './asked.ts'

export const compressFiles = endpoint({
  method: 'POST',
  path: '/compress',
  summary: 'Pack files and folders into an archive in the home',
  description: 'The ending of the name says the format. Where the name is taken .1, .2 and so on is appended; the reply has the name that was used.',
  effect: 'changes',
  action: 'archive_created',
  body: CompressBody,
  reply: data(Compressed),
  throws: own('compress_failed'),
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body, filemanager }) => {
    const paths = pathsOf(body, 'paths')
    const archive = body.archive_name
    if (formatOf(archive) === undefined) throw BadRequest(`archive_name: ${archive} must end in ${archiveEndings.join(', ')}`)
    return change({
      summary: `Pack ${namesOf(paths)} of ${username} into ${archive}`,
      steps: [step(filemanager.steps.compress, { username, paths, archive })],
      reply: ({ results }) => {
        const { archive: used, bytes: size_bytes } = results[0] as { archive: string; bytes: number }
        return { archive: used, size_bytes }
      },
    })
  },
})

export const extractArchive = endpoint({
  method: 'POST',
  path: '/extract',
  summary: 'Unpack an archive into a folder',
  description:
    'zip, tar, tar.gz, tar.zst and tar.xz. Nothing appears before all of it was unpacked and checked. Refused: names that leave the folder, links that point out of it, devices, and archives beyond the limits.',
  effect: 'changes',
  action: 'archive_extracted',
  body: ExtractBody,
  reply: data(Extracted),
  throws: listed,
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body, filemanager }) => {
    const [archive, dest] = [pathOf(body, 'archive_path'), pathOf(body, 'dst_path')]
    return change({
      summary: `Unpack ${archive.path} of ${username} into ${dest.path || 'the home'}`,
      locks: [`extract:${username}:${dest.path}`],
      steps: [step(filemanager.steps.extract, { username, archive, dest })],
      reply: ({ results }) => {
        const { entries, bytes: size_bytes } = results[0] as { entries: number; bytes: number }
        return { files: entries, size_bytes }
      },
    })
  },
})
