import { Button, Modal, NativeSelect, Stack, Text } from '@mantine/core'
import { IconDownload, IconRestore } from '@tabler/icons-react'
import { useState } from 'react'
import type { Call } from '../../../../web/call.ts'
import { CodeEditor } from '../../../../web/kit/CodeEditor.tsx'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'
import { languageOfFile } from '../../../../web/kit/code/language-of-file.ts'
import { Diff } from '../../../../web/kit/Diff.tsx'
import { formatBytes, formatMoment } from '../../../../web/kit/format.ts'
import { notify } from '../../../../web/kit/notices.tsx'
import { PlanView } from '../../../../web/kit/PlanView.tsx'
import { SectionTabs } from '../../../../web/kit/SectionTabs.tsx'
import { Failure, Loading } from '../../../../web/kit/states.tsx'
import { usePlan } from '../../../../web/kit/use-plan.ts'
import { readAgain } from '../../../../web/queries.ts'
import { filemanager } from '../api.ts'
import { calls, carryOut } from '../calls.ts'
import { downloads } from '../downloads.ts'
import { pathFrom, shown } from '../names.ts'
import { nameOf } from '../paths.ts'
import type { Whose } from '../queries.ts'
import type { Place } from '../whose.ts'
import { useVersionContent, useVersionDiff, type Version } from './queries.ts'

interface VersionDialogProps {
  readonly place: Place
  readonly version: Version
  readonly others: readonly Version[]
  readonly onClose: () => void
}

/** One version: its differences, its content, and a button that restores it. */
export function VersionDialog({ place: { whose }, version, others, onClose }: VersionDialogProps) {
  const [failure, setFailure] = useState<unknown>()
  const [isRestoring, setRestoring] = useState(false)
  const name = shown(nameOf(pathFrom(version.path, version.path_b64)))
  const restore = async () => {
    setRestoring(true)
    await carryOut(calls.restoreVersion(whose, version.id)).then(async () => {
      notify(`Restored ${name} to the version saved ${formatMoment(version.replaced_at)}.`)
      onClose()
      await readAgain('history', 'file')
    }, setFailure)
    setRestoring(false)
  }
  const download = () =>
    void downloads.fetch({
      call: filemanager.downloadVersion({ query: { ...whose, id: version.id } }),
      name,
      size: version.size_bytes,
    })
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`${name}, saved ${formatMoment(version.replaced_at)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <SectionTabs
          label="Views of the version"
          tabs={[
            {
              name: 'restore',
              label: 'What restoring changes',
              content: <PlanOfRestore call={calls.restoreVersion(whose, version.id)} />,
            },
            {
              name: 'changes',
              label: 'Changes since',
              content: <Changes whose={whose} version={version} others={others} />,
            },
            { name: 'content', label: 'Content', content: <Content whose={whose} version={version} /> },
          ]}
        />
        {failure !== undefined && <Failure error={failure} />}
        <DialogFooter
          note={
            <Text size="xs" c="dimmed">
              The current content is saved as a version too.
            </Text>
          }
        >
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={download}>
            Download
          </Button>
          <Button
            leftSection={<IconRestore size={16} aria-hidden />}
            loading={isRestoring}
            onClick={() => void restore()}
          >
            Restore this version
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

/** From the present content to the restored one. */
function PlanOfRestore({ call }: { readonly call: Call }) {
  const plan = usePlan(call)
  if (plan.error) return <Failure error={plan.error} onRetry={() => void plan.refetch()} />
  return plan.data ? <PlanView plan={plan.data} /> : <Loading rows={3} />
}

/** From the version to the present content, or to a later version. */
function Changes({
  whose,
  version,
  others,
}: {
  readonly whose: Whose
  readonly version: Version
  readonly others: readonly Version[]
}) {
  const [to, setTo] = useState('')
  const diff = useVersionDiff(whose, version.id, to === '' ? undefined : Number(to))
  const later = others.filter((each) => each.path === version.path && each.id !== version.id && each.is_kept)
  const choices = [
    { value: '', label: 'The current file' },
    ...later.map(({ id, replaced_at }) => ({
      value: String(id),
      label: `The version saved ${formatMoment(replaced_at)}`,
    })),
  ]
  const found = diff.data
  return (
    <Stack gap="sm">
      {later.length > 0 && (
        <NativeSelect
          label="Compare with"
          data={choices}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      )}
      {diff.isPending && <Loading rows={3} />}
      {diff.error && <Failure error={diff.error} />}
      {found?.is_equal && <Text size="sm">No differences.</Text>}
      {found?.is_binary && !found.is_equal && (
        <Text size="sm">One of the two is not text: they differ, and cannot be compared line by line.</Text>
      )}
      {found?.to_size_bytes === null && (
        <Text size="sm">The file no longer exists; restoring creates it again.</Text>
      )}
      {found && found.diff !== '' && (
        <Diff path={shown(pathFrom(version.path, version.path_b64))} diff={found.diff} />
      )}
      {found?.is_cut && (
        <Text size="xs" c="dimmed">
          The differences are truncated here.
        </Text>
      )}
    </Stack>
  )
}

function Content({ whose, version }: { readonly whose: Whose; readonly version: Version }) {
  const content = useVersionContent(whose, version.id)
  if (content.error) return <Failure error={content.error} />
  if (content.data === undefined) return <Loading rows={4} />
  const { encoding, is_cut: isCut, end, size_bytes: size } = content.data
  if (encoding === 'base64') return <Text size="sm">It is not text. Download it to view it.</Text>
  return (
    <Stack gap="sm">
      {isCut && (
        <Text size="sm" role="status">
          Only the first {formatBytes(end)} of {formatBytes(size)} are shown. Download it to have all of it.
        </Text>
      )}
      <CodeEditor
        value={content.data.content}
        onChange={ignore}
        readOnly
        label="Content of the version"
        language={languageOfFile(version.path)}
      />
    </Stack>
  )
}

const ignore = () => {}
