import { Button, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeEditor } from '../../../../web/kit/CodeEditor.tsx'
import { languageOfFile } from '../../../../web/kit/code/language-of-file.ts'
import { formatBytes } from '../../../../web/kit/format.ts'
import { Empty, Failure, Loading } from '../../../../web/kit/states.tsx'
import type { Spot } from './find-line.ts'
import { type FileContent, partBytes, useFilePart, type Whose } from '../queries.ts'

interface PartOfFileProps {
  readonly whose: Whose
  readonly path: string
  readonly sizeBytes: number
  /**
   * The start of the part that contains the line, and the line's position in it from 1; undefined shows the
   * end.
   */
  readonly first: Spot | undefined
}

/** Shows a text that is too large for the editor, read-only and in parts; a log starts at its end. */
export function PartOfFile({ whose, path, sizeBytes, first }: PartOfFileProps) {
  const [size, setSize] = useState(sizeBytes)
  const [start, setStart] = useState(first?.start ?? Math.max(0, sizeBytes - partBytes))
  const part = useFilePart(whose, path, start)
  const { data } = part
  const go = (to: number) => setStart(Math.max(0, to))
  const lineIn = (shownPart: FileContent) => {
    if (first?.start === start) return first.line
    return shownPart.is_cut ? 1 : wholeLines(shownPart, start).split('\n').length
  }
  const toEnd = async () => {
    const now = (await part.refetch()).data?.size_bytes ?? size
    setSize(now)
    go(now - partBytes)
  }
  if (part.error) return <Failure error={part.error} onRetry={() => void part.refetch()} />
  if (data?.encoding === 'base64')
    return (
      <Empty title="This file cannot be shown here">
        It is not text, and {formatBytes(sizeBytes)} large. Download it to look at it.
      </Empty>
    )
  return (
    <Paper withBorder radius="lg" p="md">
      <Group justify="space-between" mb="sm" gap="xs">
        <Text size="sm" role="status">
          {data &&
            `${formatBytes(data.start)} to ${formatBytes(data.end)} of ${formatBytes(data.size_bytes)}`}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={start === 0} onClick={() => go(0)}>
            Beginning
          </Button>
          <Button size="xs" variant="default" disabled={start === 0} onClick={() => go(start - partBytes)}>
            Earlier
          </Button>
          <Button size="xs" variant="default" disabled={!data?.is_cut} onClick={() => go(data?.end ?? start)}>
            Later
          </Button>
          <Button size="xs" variant="default" loading={part.isFetching} onClick={() => void toEnd()}>
            End
          </Button>
        </Group>
      </Group>
      {data === undefined ? (
        <Loading rows={6} />
      ) : (
        <CodeEditor
          key={`${data.start} ${data.end}`}
          value={wholeLines(data, start)}
          onChange={() => {}}
          readOnly
          label="Part of the file"
          language={languageOfFile(path)}
          goTo={{ line: lineIn(data) }}
        />
      )}
      <Text size="xs" c="dimmed" mt="xs">
        It is too large to be edited here; download it for that. Lines are counted from the beginning of this
        part.
      </Text>
    </Paper>
  )
}

/** Returns a part without its first, incomplete line. */
function wholeLines({ content }: Pick<FileContent, 'content'>, start: number): string {
  return start === 0 ? content : content.slice(content.indexOf('\n') + 1)
}
