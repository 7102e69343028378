import { Readable } from 'node:stream'
import { setTimeout as later } from 'node:timers/promises'
import Type from 'typebox'
import { change, step, type StepKind } from '../../../core/change.ts'
import { upload } from '../../../core/endpoint.ts'
import { problem } from '../../../core/problem.ts'
import { bytes, data, events, type StreamEvent } from '../../../core/reply.ts'
import { Secret, Text } from '../../../core/schemas.ts'
import { type Context, endpoint } from './sample-context.ts'

const OutsideOfFile = problem('outside', 416, 'The range lies outside of the file', {
  fields: Type.Object({ size_bytes: Type.Integer() }),
})

interface Reading {
  readonly stream: Readable
  /** The contents that were read to the end. */
  readonly uploads: string[]
}

const readUpload: StepKind<Record<never, never>, null, { readonly sizeBytes: number }, Reading> = {
  name: 'boxes.read-upload',
  plan: () => ({ title: 'Read the file' }),
  observe: async () => null,
  act: async (_args, { signal, live: { stream, uploads } }) => {
    signal.addEventListener('abort', () => stream.destroy(signal.reason))
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const content = Buffer.concat(chunks)
    uploads.push(content.toString())
    return { sizeBytes: content.length }
  },
  undo: async () => {},
  check: async () => 'before',
}

/** Sends endlessly, and records when it was ended. */
const endless = (boxes: Context['boxes']) =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536))
    },
    destroy(error, done) {
      boxes.closed += 1
      done(error)
    },
  })

async function* count(
  signal: AbortSignal,
  from: number,
  boxes: Context['boxes'],
): AsyncGenerator<StreamEvent<{ n: number; password: string }>> {
  try {
    for (let n = from + 1; n <= from + 3; n++) yield { id: n, value: { n, password: 'correct-horse' } }
    await later(600_000, undefined, { signal, ref: false })
  } finally {
    boxes.closed += 1
  }
}

/** Endpoints that send events or files, and one that receives a file. */
export const streams = {
  followEvents: endpoint({
    method: 'GET',
    path: '/events',
    summary: 'Follow',
    effect: 'reads',
    reply: events(Type.Object({ n: Type.Integer(), password: Secret() })),
    run: ({ signal, lastEventId, boxes }) => count(signal, lastEventId ?? 0, boxes),
  }),
  followBrokenEvents: endpoint({
    method: 'GET',
    path: '/broken-events',
    summary: 'Break off',
    effect: 'reads',
    reply: events(Type.Object({ n: Type.Integer() })),
    run: async function* () {
      yield { value: { n: 1 } }
      throw new Error('secret text')
    } as never,
  }),
  followDeafEvents: endpoint({
    method: 'GET',
    path: '/deaf-events',
    summary: 'Ignore the signal',
    effect: 'reads',
    reply: events(Type.Object({ n: Type.Integer() })),
    run: async function* () {
      yield { value: { n: 1 } }
      await new Promise(() => {})
    } as never,
  }),
  downloadFile: endpoint({
    method: 'GET',
    path: '/file',
    summary: 'Download',
    effect: 'reads',
    reply: bytes('text/html'),
    throws: { outside: OutsideOfFile },
    run: ({ range }) => {
      if (range === 'bytes=9-') throw OutsideOfFile(undefined, { fields: { size_bytes: 4 } })
      return range
        ? {
            stream: Readable.from(['23']),
            mediaType: 'text/html',
            sizeBytes: 2,
            range: { start: 1, end: 2, totalBytes: 4 },
            acceptsRanges: true,
          }
        : {
            stream: Readable.from(['1234']),
            mediaType: 'text/html',
            fileName: 'ä "quoted".html',
            sizeBytes: 4,
            acceptsRanges: true,
            etag: '"x"',
          }
    },
  }),
  downloadEndlessFile: endpoint({
    method: 'GET',
    path: '/endless-file',
    summary: 'Download without an end',
    effect: 'reads',
    reply: bytes('text/html'),
    run: ({ boxes }) => ({ stream: endless(boxes), mediaType: 'text/html' }),
  }),
  uploadFile: endpoint({
    method: 'POST',
    path: '/upload',
    summary: 'Upload',
    effect: 'changes',
    body: upload(Type.Object({ path: Text(100) }), { maxBytes: 100_000 }),
    reply: data(Type.Object({ path: Text(100), name: Text(100), size: Type.Integer() })),
    run: ({ body, boxes: { uploads } }) =>
      change({
        summary: 'Upload',
        steps: [step(readUpload, {}, { stream: body.stream, uploads })],
        reply: ({ results }) => ({
          path: body.fields.path,
          name: body.fileName ?? '',
          size: results[0].sizeBytes,
        }),
      }),
  }),
  uploadPart: endpoint({
    method: 'PATCH',
    path: '/upload',
    summary: 'Upload what is not looked at',
    effect: 'changes',
    body: upload(Type.Object({ path: Text(100) }), { maxBytes: 100_000 }),
    reply: data(Type.Object({ path: Text(100) })),
    run: ({ body }) => change({ summary: 'Ignore it', reply: { path: body.fields.path } }),
  }),
}
