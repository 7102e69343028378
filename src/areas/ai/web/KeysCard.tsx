import { Button, Checkbox, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { Credentials, Provider } from '../model.ts'
import { ai } from './api.ts'
import { done, restartMs } from './done.ts'
import { useConfig } from './queries.ts'

const names: readonly (readonly [Provider, string])[] = [
  ['anthropic', 'Anthropic'],
  ['openai', 'OpenAI'],
  ['google', 'Google'],
  ['deepseek', 'DeepSeek'],
  ['groq', 'Groq'],
  ['custom', 'Custom provider'],
]

/** The keys of the providers, which are shown masked. */
export function KeysCard() {
  const { data, error, refetch } = useConfig()
  const [isEditing, setEditing] = useState(false)
  const set = data && names.filter(([provider]) => data.credentials[provider] !== undefined)
  return (
    <SectionCard title="Keys of providers">
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading rows={2} />}
      {set?.length === 0 && <Text size="sm">No keys: the assistant cannot ask a model.</Text>}
      {data &&
        set?.map(([provider, name]) => (
          <Text key={provider} size="sm" className="anywhere">
            {name}: {data.credentials[provider]}
          </Text>
        ))}
      {data && (
        <Button w="fit-content" variant="default" onClick={() => setEditing(true)}>
          Edit the keys
        </Button>
      )}
      {isEditing && data && <KeysDialog stored={data.credentials} onClose={() => setEditing(false)} />}
    </SectionCard>
  )
}

const removing = Symbol('removing')
/** Absent: the key stays. */
type Typed = string | typeof removing | undefined

interface KeysDialogProps {
  readonly stored: Credentials
  readonly onClose: () => void
}

/** An empty field keeps its key, as the stored ones are not known to the page; a key is removed by its checkbox. */
function KeysDialog({ stored, onClose }: KeysDialogProps) {
  const former = stored.custom_base_url ?? ''
  const [keys, setKeys] = useState<Readonly<Partial<Record<Provider, Typed>>>>({})
  const [url, setUrl] = useState(former)
  const [isAsking, setAsking] = useState(false)
  const given = Object.fromEntries(
    names.flatMap(([provider]) => {
      const key = keys[provider]
      return key === undefined ? [] : [[provider, key === removing ? '' : key] as const]
    }),
  )
  const body = { credentials: { ...given, ...(url !== former && { custom_base_url: url.trim() }) } }
  const look = (event: FormEvent) => {
    event.preventDefault()
    setAsking(true)
  }
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title="Keys of providers"
        closeButtonProps={{ 'aria-label': 'Close' }}
        trapFocus={!isAsking}
        closeOnEscape={!isAsking}
      >
        <Stack component="form" gap="md" onSubmit={look}>
          {names.map(([provider, name], index) => (
            <KeyField
              key={provider}
              name={name}
              isStored={stored[provider] !== undefined}
              isFirst={index === 0}
              value={keys[provider]}
              onChange={(key) => setKeys({ ...keys, [provider]: key })}
            />
          ))}
          <TextInput
            label="Address of the custom provider"
            description="Empty removes the provider"
            maxLength={2000}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <DialogFooter>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Review changes</Button>
          </DialogFooter>
        </Stack>
      </Modal>
      {isAsking && (
        <ChangeDialog
          title="Keys of providers"
          confirmLabel="Save"
          call={ai.replaceAssistantConfig({ body, limitMs: restartMs })}
          onClose={() => setAsking(false)}
          onDone={() => done(onClose, 'The keys were saved.')}
        />
      )}
    </>
  )
}

interface KeyFieldProps {
  readonly name: string
  readonly isStored: boolean
  readonly isFirst: boolean
  readonly value: Typed
  readonly onChange: (value: Typed) => void
}

const KeyField = ({ name, isStored, isFirst, value, onChange }: KeyFieldProps) => (
  <Stack gap={6}>
    <PasswordInput
      label={name}
      placeholder={value === removing ? 'Removed' : isStored ? 'Unchanged' : 'No key'}
      maxLength={4096}
      data-autofocus={isFirst || undefined}
      autoComplete="off"
      disabled={value === removing}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
    {isStored && (
      <Checkbox
        label={`Remove the key of ${name}`}
        checked={value === removing}
        onChange={(event) => onChange(event.currentTarget.checked ? removing : undefined)}
      />
    )}
  </Stack>
)
