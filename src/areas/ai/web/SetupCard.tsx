import { Button, Group, NativeSelect, PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Provider, SetupDraft } from '../model.ts'
import { ai } from './api.ts'

const providers: readonly { readonly value: Provider; readonly label: string; readonly example: string }[] = [
  { value: 'anthropic', label: 'Anthropic', example: 'claude-sonnet-4-5' },
  { value: 'openai', label: 'OpenAI', example: 'gpt-5' },
  { value: 'google', label: 'Google', example: 'gemini-2.5-pro' },
  { value: 'deepseek', label: 'DeepSeek', example: 'deepseek-chat' },
  { value: 'groq', label: 'Groq', example: 'llama-3.3-70b-versatile' },
  { value: 'custom', label: 'Another, with the API of OpenAI', example: 'm1' },
]

interface Draft {
  readonly provider: Provider
  readonly model: string
  readonly key: string
  readonly url: string
  readonly isReadOnly: boolean
}

const first: Draft = { provider: 'anthropic', model: '', key: '', url: '', isReadOnly: true }

const steps = ['Step 1 of 3: the model', 'Step 2 of 3: its rights in the panel'] as const

const bodyOf = ({ provider, model, key, url, isReadOnly }: Draft): SetupDraft => ({
  provider,
  model: model.trim(),
  api_key: key,
  scopes: [],
  read_only: isReadOnly,
  ...(provider === 'custom' && { base_url: url.trim() }),
})

/** The setup of the assistant in three steps: the model, what it may do in the panel, and the review. */
export function SetupCard() {
  const [step, setStep] = useState<0 | 1>(0)
  const [draft, setDraft] = useState(first)
  const [isAsking, setAsking] = useState(false)
  const [jobId, setJobId] = useState<number>()
  const set = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed })
  const next = (event: FormEvent) => {
    event.preventDefault()
    if (step === 0) setStep(1)
    else setAsking(true)
  }
  return (
    <SectionCard title="Set up the assistant">
      <Text size="sm" fw={600} role="status">
        {steps[step]}
      </Text>
      <Stack component="form" gap="md" onSubmit={next}>
        {step === 0 ? <ModelFields draft={draft} set={set} /> : <RightsFields draft={draft} set={set} />}
        <Group>
          {step > 0 && (
            <Button variant="default" onClick={() => setStep(0)}>
              Back
            </Button>
          )}
          <Button type="submit">{step === 0 ? 'Next' : 'Review changes (step 3)'}</Button>
        </Group>
      </Stack>
      {isAsking && (
        <ChangeDialog
          title="Set up the assistant"
          confirmLabel="Set it up"
          call={ai.setUpAssistant({ body: bodyOf(draft) })}
          onClose={() => setAsking(false)}
          onDone={({ job_id }: { readonly job_id: number }) => {
            setAsking(false)
            setJobId(job_id)
          }}
        />
      )}
      {jobId !== undefined && (
        <JobDialog
          title="Set up the assistant"
          jobId={jobId}
          onClose={() => setJobId(undefined)}
          onEnd={() => void readAgain('ai')}
        />
      )}
    </SectionCard>
  )
}

interface FieldsProps {
  readonly draft: Draft
  readonly set: (changed: Partial<Draft>) => void
}

function ModelFields({ draft, set }: FieldsProps) {
  const chosen = providers.find(({ value }) => value === draft.provider)
  const choose = (value: string) =>
    set({ provider: providers.find((each) => each.value === value)?.value ?? 'custom' })
  return (
    <>
      <Text size="sm">
        OpenClaw is installed with npm and runs under a Linux account of its own. It sends what it is told to
        the provider of its model.
      </Text>
      <NativeSelect
        label="Provider"
        data={providers.map(({ value, label }) => ({ value, label }))}
        value={draft.provider}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <TextInput
        label="Model"
        description={`As the provider names it, such as ${chosen?.example}`}
        required
        maxLength={200}
        value={draft.model}
        onChange={(event) => set({ model: event.currentTarget.value })}
      />
      {draft.provider === 'custom' && (
        <TextInput
          label="Address"
          description="Such as https://models.example.com/v1"
          required
          maxLength={2000}
          value={draft.url}
          onChange={(event) => set({ url: event.currentTarget.value })}
        />
      )}
      <PasswordInput
        label="Key of the provider"
        required
        maxLength={4096}
        autoComplete="off"
        value={draft.key}
        onChange={(event) => set({ key: event.currentTarget.value })}
      />
    </>
  )
}

const RightsFields = ({ draft, set }: FieldsProps) => (
  <>
    <Text size="sm">
      The assistant reaches the panel through MCP, with a key in your name. What it does there is in the
      activity under this key, and it never may do more than you.
    </Text>
    <Switch
      label="Read-only"
      description="It reads the panel, and changes nothing."
      checked={draft.isReadOnly}
      onChange={(event) => set({ isReadOnly: event.currentTarget.checked })}
    />
  </>
)
