import { Button, SegmentedControl, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Website } from '../model.ts'
import { websites } from './api.ts'
import { CloneDialog, MoveDialog } from './MoveDialogs.tsx'

/** The actions on a whole website; each shows its plan first. */
export function WebsiteActions({ website }: { readonly website: Website }) {
  const [asking, setAsking] = useState<'clone' | 'move' | 'suspend' | 'delete'>()
  const close = () => setAsking(undefined)
  return (
    <>
      <Button variant="default" onClick={() => setAsking('clone')}>
        Clone
      </Button>
      <Button variant="default" onClick={() => setAsking('move')}>
        Move
      </Button>
      {website.is_suspended ? (
        <Button variant="default" onClick={() => setAsking('suspend')}>
          Unsuspend
        </Button>
      ) : (
        <CutOffButton onClick={() => setAsking('suspend')}>Suspend</CutOffButton>
      )}
      <CutOffButton onClick={() => setAsking('delete')}>Delete</CutOffButton>
      {asking === 'clone' && <CloneDialog website={website} onClose={close} />}
      {asking === 'move' && <MoveDialog website={website} onClose={close} />}
      {asking === 'suspend' && <SuspendDialog website={website} onClose={close} />}
      {asking === 'delete' && <DeleteDialog website={website} onClose={close} />}
    </>
  )
}

interface DialogProps {
  readonly website: Website
  readonly onClose: () => void
}

function SuspendDialog({ website, onClose }: DialogProps) {
  const verb = website.is_suspended ? 'Unsuspend' : 'Suspend'
  const done = async () => {
    onClose()
    notify(`${website.domain} is ${website.is_suspended ? 'served again' : 'suspended'}.`)
    await readAgain('websites')
  }
  const asked = { params: { id: website.id } }
  return (
    <ChangeDialog
      title={`${verb} ${website.domain}`}
      confirmLabel={verb}
      isCutOff={!website.is_suspended}
      call={website.is_suspended ? websites.unsuspendWebsite(asked) : websites.suspendWebsite(asked)}
      onClose={onClose}
      onDone={done}
    />
  )
}

type Fate = 'keep' | 'remove'
const fates = [
  { value: 'keep', label: 'Keep them' },
  { value: 'remove', label: 'Remove them' },
]
const fateOf = (chosen: string): Fate => (chosen === 'remove' ? 'remove' : 'keep')

function DeleteDialog({ website, onClose }: DialogProps) {
  const [files, setFiles] = useState<Fate>('keep')
  const [databases, setDatabases] = useState<Fate>('keep')
  const navigate = useNavigate()
  const done = async () => {
    notify(`${website.domain} was deleted.`)
    await navigate({ to: '/websites' as never })
    await readAgain('websites', 'databases')
  }
  return (
    <ChangeDialog
      title={`Delete ${website.domain}`}
      confirmLabel="Delete the website"
      call={websites.deleteWebsite({ params: { id: website.id }, query: { files, databases } })}
      onClose={onClose}
      onDone={done}
    >
      <Text size="sm">Delete its files too?</Text>
      <SegmentedControl
        aria-label="Files of the website"
        value={files}
        onChange={(chosen) => setFiles(fateOf(chosen))}
        data={fates}
      />
      <Text size="sm">Delete its databases too?</Text>
      <SegmentedControl
        aria-label="Databases of the website"
        value={databases}
        onChange={(chosen) => setDatabases(fateOf(chosen))}
        data={fates}
      />
    </ChangeDialog>
  )
}
