import { Text } from '@mantine/core'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { PublishDraft, UpgradeDraft } from '../replace/model.ts'
import { containers } from './api.ts'
import { type DialogProps, done } from './Dialogs.tsx'
import { longMs } from './state.ts'

/** Upgrades a container to another image. */
export const UpgradeDialog = ({ container: { id, name }, onClose }: DialogProps) => (
  <PlannedForm
    title={`Upgrade ${name}`}
    confirmLabel="Upgrade"
    schema={UpgradeDraft}
    text={{
      image: { label: 'Image', hint: 'Such as nginx:1.28; empty for that of the catalog' },
    }}
    callOf={(body: UpgradeDraft) => containers.upgradeContainer({ params: { id }, body, limitMs: longMs })}
    onClose={onClose}
    onDone={() => done(onClose, `${name} was upgraded. The former container is kept, stopped.`)}
  />
)

/** Puts a website with a certificate in front of a container. */
export const PublishDialog = ({ container: { id, name }, onClose }: DialogProps) => (
  <PlannedForm
    title={`Publish ${name}`}
    confirmLabel="Publish"
    schema={PublishDraft}
    text={{
      domain: { label: 'Domain' },
      port: { label: 'Port in the container', hint: 'Empty if it publishes one alone' },
      username: { label: 'Owner of the website' },
      certificate: { label: 'Certificate' },
    }}
    callOf={(body: PublishDraft) => containers.publishContainer({ params: { id }, body, limitMs: longMs })}
    onClose={onClose}
    onDone={({ domain }: { domain: string }) => done(onClose, `${name} is served as ${domain}.`)}
  />
)

interface StackDialogProps {
  readonly instance: string
  readonly onClose: () => void
}

/** Upgrades a stack to the images of the catalog. */
export const UpgradeStackDialog = ({ instance, onClose }: StackDialogProps) => (
  <ChangeDialog
    title={`Upgrade the stack ${instance}`}
    confirmLabel="Upgrade"
    call={containers.upgradeStack({ params: { instance }, body: {}, limitMs: longMs })}
    onClose={onClose}
    onDone={() => done(onClose, `The stack ${instance} was upgraded.`)}
  >
    <Text size="sm">
      Its services are backed up and replaced by the images of the catalog. If one does not work, all former
      ones run again.
    </Text>
  </ChangeDialog>
)
