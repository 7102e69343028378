import { useState } from 'react'
import Type from 'typebox'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { ImageName } from '../model.ts'
import { PublishDraft, UpgradeDraft } from '../replace/model.ts'
import type { Stack, StackUpgrade } from '../stacks/model.ts'
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
  readonly stack: Stack
  readonly onClose: () => void
}

/** One field for the image of each service. */
function imagesOf({ services }: Stack) {
  const hint = (image: string) => `Now ${image}. Leave all empty for the images of the catalog`
  return {
    schema: Type.Object(Object.fromEntries(services.map(({ key }) => [key, Type.Optional(ImageName)]))),
    text: Object.fromEntries(
      services.map(({ key, image }) => [key, { label: `Image of ${key}`, hint: hint(image) }]),
    ),
  }
}

/** The services that were filled in; without any, those of which the catalog has another image. */
function upgradeTo(images: Readonly<Record<string, string>>): StackUpgrade {
  const services = Object.entries(images).map(([key, image]) => ({ key, image }))
  return services.length === 0 ? {} : { services }
}

/** Upgrades services of a stack to other images. */
export function UpgradeStackDialog({ stack, onClose }: StackDialogProps) {
  const { instance } = stack
  const [form] = useState(() => imagesOf(stack)) // the list is polled, and its fields stay meanwhile
  return (
    <PlannedForm
      title={`Upgrade the stack ${instance}`}
      confirmLabel="Upgrade"
      {...form}
      callOf={(images: Readonly<Record<string, string>>) =>
        containers.upgradeStack({ params: { instance }, body: upgradeTo(images), limitMs: longMs })
      }
      onClose={onClose}
      onDone={() =>
        done(onClose, `The stack ${instance} was upgraded. The former containers are kept, stopped.`)
      }
    />
  )
}
