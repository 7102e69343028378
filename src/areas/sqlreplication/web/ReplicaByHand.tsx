import { Button, Code, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { type NewReplica, ReplicaDraft } from '../model.ts'
import { sqlreplication } from './api.ts'
import { done } from './queries.ts'

interface ReplicaByHandProps {
  readonly onClose: () => void
}

/** Adds a replica that no panel runs; shows its password once, and then what else its CHANGE MASTER needs. */
export function ReplicaByHand({ onClose }: ReplicaByHandProps) {
  const [added, setAdded] = useState<NewReplica>()
  const [isConnecting, setConnecting] = useState(false)
  if (added === undefined)
    return (
      <PlannedForm
        title="Add a replica by hand"
        confirmLabel="Add"
        schema={ReplicaDraft}
        text={{ name: { label: 'Name', hint: 'Of a server that no panel runs' } }}
        callOf={(body: ReplicaDraft) => sqlreplication.addReplica({ body })}
        onClose={onClose}
        onDone={(reply: NewReplica) => done(() => setAdded(reply), `${reply.name} was added.`)}
      />
    )
  if (!isConnecting)
    return (
      <OnceShownDialog
        title={`Password of ${added.username}`}
        label="password"
        secret={added.password}
        onClose={() => setConnecting(true)}
      />
    )
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Connect ${added.name}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Text size="sm">
          It connects to port {added.port} of this host as <Code>{added.username}</Code>, by TLS alone, and
          follows by GTID. Keep this certificate there, and name its file as MASTER_SSL_CA:
        </Text>
        <Code block tabIndex={0}>
          {added.certificate}
        </Code>
        <DialogFooter>
          <Button
            variant="default"
            component="a"
            href={`data:application/x-pem-file,${encodeURIComponent(added.certificate)}`}
            download="primary.pem"
          >
            Download
          </Button>
          <Button data-autofocus onClick={onClose}>
            Done
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}
