import { Badge, Button, Group, Modal, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { orderJob } from '../../../web/client.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { type Image, PruneBody, type Pruned, PullBody } from '../images/model.ts'
import { containers } from './api.ts'
import { ContainersFrame } from './ContainersFrame.tsx'
import { useImages } from './queries.ts'
import { longMs } from './state.ts'

const nameOf = ({ tags, id }: Image): string => tags[0] ?? id.replace(/^sha256:/, '').slice(0, 12)

const columnsOf = (remove: (image: Image) => void): readonly Column<Image>[] => [
  {
    id: 'image',
    title: 'Image',
    value: nameOf,
    cell: (image) => (
      <Group gap="xs">
        <Text size="sm" fw={550} className="anywhere">
          {image.tags.length > 0 ? image.tags.join(', ') : nameOf(image)}
        </Text>
        {image.tags.length === 0 && (
          <Badge variant="light" color="gray" tt="none">
            Untagged
          </Badge>
        )}
        {image.is_backup && (
          <Badge variant="light" color="indigo" tt="none">
            Backup
          </Badge>
        )}
      </Group>
    ),
  },
  { id: 'size', title: 'Size', value: ({ size }) => size, cell: ({ size }) => formatBytes(size) },
  {
    id: 'created',
    title: 'Created',
    value: ({ created }) => created,
    cell: ({ created }) => <Moment time={created} />,
  },
  {
    id: 'users',
    title: 'Used by',
    value: ({ containers: users }) => users.join(' '),
    cell: ({ containers: users }) =>
      users.length === 0
        ? 'No container'
        : users.map((user) => (
            <div key={user}>
              <TextLink to={`/containers/list/${encodeURIComponent(user)}`}>{user}</TextLink>
            </div>
          )),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (image) => (
      <CutOffButton size="xs" aria-label={`Remove ${nameOf(image)}`} onClick={() => remove(image)}>
        Remove
      </CutOffButton>
    ),
  },
]

/** The images of this host. */
export function ImagesPage() {
  const { data, ...query } = useImages()
  const [isPulling, setPulling] = useLinkedDialog('pull')
  const [isCleaning, setCleaning] = useState(false)
  const [removing, setRemoving] = useState<Image>()
  return (
    <ContainersFrame
      actions={
        <>
          <Button variant="default" onClick={() => setCleaning(true)}>
            Clean up
          </Button>
          <Button leftSection={<IconDownload size={16} aria-hidden />} onClick={() => setPulling(true)}>
            Pull an image
          </Button>
        </>
      }
    >
      <DataTable
        label="Images"
        columns={columnsOf(setRemoving)}
        query={useWholePage({ ...query, data })}
        rowKey={({ id }) => id}
        empty={<Empty title="No images yet">Pull one, or launch an app from the catalog.</Empty>}
      />
      {isPulling && <PullDialog onClose={() => setPulling(false)} />}
      {isCleaning && <CleanUpDialog onClose={() => setCleaning(false)} />}
      {removing && <RemoveImage image={removing} onClose={() => setRemoving(undefined)} />}
    </ContainersFrame>
  )
}

interface DialogProps {
  readonly onClose: () => void
}

/** Asks for the name of an image, and shows the progress of its layers; the pull goes on when it is closed. */
function PullDialog({ onClose }: DialogProps) {
  const [job, setJob] = useState<{ readonly id: number; readonly image: string }>()
  const pull = async (body: { readonly image: string }) =>
    setJob({ id: await orderJob(containers.pullImage({ body })), image: body.image })
  if (job)
    return (
      <JobDialog
        title={`Pull ${job.image}`}
        jobId={job.id}
        onClose={onClose}
        onEnd={() => void readAgain('containers')}
      />
    )
  return (
    <Modal opened onClose={onClose} title="Pull an image" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SchemaForm
        schema={PullBody}
        text={{ image: { label: 'Image', hint: 'Such as nginx:1.27, or registry.example.com/team/app:3' } }}
        submitLabel="Pull"
        onSubmit={pull}
        onCancel={onClose}
      />
    </Modal>
  )
}

const cleaned = {
  images: {
    label: 'Images',
    hint: 'Images of backups are kept',
    labels: { untagged: 'Without a tag', unused: 'All that no container uses', none: 'None' },
  },
  containers: { label: 'Stopped containers', hint: 'Except those that an edit keeps' },
  networks: { label: 'Networks that no container uses', hint: '' },
  volumes: { label: 'Volumes that no container uses', hint: 'Their content is deleted' },
  build_cache: { label: 'Cache of builds', hint: '' },
}

/** Removes what nothing uses, after showing each object and what is freed. */
const CleanUpDialog = ({ onClose }: DialogProps) => (
  <PlannedForm
    title="Clean up"
    confirmLabel="Remove them"
    schema={PruneBody}
    text={cleaned}
    callOf={(body: PruneBody) => containers.pruneContainers({ body, limitMs: longMs })}
    onClose={onClose}
    onDone={async ({ removed, freed_bytes }: Pruned) => {
      onClose()
      notify(`Removed ${removed.length}, freed ${formatBytes(freed_bytes)}.`)
      await readAgain('containers')
    }}
  />
)

function RemoveImage({ image, onClose }: DialogProps & { readonly image: Image }) {
  const name = nameOf(image)
  const done = async () => {
    onClose()
    notify(`The image ${name} was removed.`)
    await readAgain('containers')
  }
  return (
    <ChangeDialog
      title={`Remove ${name}`}
      confirmLabel="Remove"
      call={containers.removeImage({ params: { id: image.id } })}
      onClose={onClose}
      onDone={done}
    />
  )
}
