import { Button, Group, Stack } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { type FormEvent, Fragment, useEffect, useMemo, useRef, useState } from 'react'
import type { TObject } from 'typebox'
import type { Call } from '../call.ts'
import { ApiError } from '../wire.ts'
import { FieldInput } from './FieldInput.tsx'
import { FormButtons, type Reviewed } from './FormButtons.tsx'
import {
  bodyOf,
  type Field,
  fieldsOf,
  type FieldValues,
  type FieldTexts,
  firstValues,
  issuesOf,
  shownFields,
} from './schema-fields.ts'
import { setValue } from './set-value.ts'
import { Failure } from './states.tsx'

export interface SchemaFormProps {
  /** The schema of the request body. */
  readonly schema: TObject
  readonly text?: FieldTexts
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  /** The fields that are shown at first, the others on request; all when absent. */
  readonly upFront?: readonly string[]
  /**
   * The current object as the API returns it, if the form edits one; cleared fields are then sent as empty.
   */
  readonly given?: Readonly<Record<string, unknown>>
  /** Sends only the fields that differ from `given`, so that fields unknown to the form keep their values. */
  readonly sendsOnlyChanges?: boolean
  readonly submitLabel: string
  readonly autoComplete?: Readonly<Record<string, string>>
  /** Sends the body; an error that it throws is shown at the field that it names. */
  readonly onSubmit: (body: any) => Promise<unknown>
  readonly onCancel?: () => void
  readonly isWide?: boolean
  /** Makes the request that the form sends, for its plan; absent if the form changes nothing. */
  readonly reviewOf?: (body: any) => Call
  /** A value that a refusal offers for the field that it names. */
  readonly offerOf?: (error: ApiError) => Offer | undefined
  /** What a second change does afterwards, which cannot be planned before the first is made. */
  readonly afterwards?: (body: any) => string | undefined
}

/** A value that would be accepted, and the label of the button that enters it. */
export interface Offer {
  readonly label: string
  readonly value: string | number
}

/** A form generated from the schema of the request body. */
// oxlint-disable-next-line max-lines-per-function -- one form
export function SchemaForm(props: SchemaFormProps) {
  const {
    schema,
    text,
    only,
    except,
    upFront,
    given,
    submitLabel,
    autoComplete,
    onSubmit,
    onCancel,
    isWide,
  } = props
  const fields = useMemo(
    () =>
      fieldsOf(schema, text).filter(({ name }) => (!only || only.includes(name)) && !except?.includes(name)),
    [schema, text, only, except],
  )
  const [values, setValues] = useState<FieldValues>(() => firstValues(fields, given))
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const [offered, setOffered] = useState<Offer & { readonly path: string }>()
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const [isUnfolded, setUnfolded] = useState(false)
  const form = useFirstFieldFocus()
  const isFolded = ({ name }: Field) => upFront !== undefined && !upFront.includes(name)

  const before = firstValues(fields, given)
  const isComplete = (): boolean => {
    const found = issuesOf(
      given
        ? fields.filter(({ name }) => JSON.stringify(values[name]) !== JSON.stringify(before[name]))
        : fields,
      values,
    )
    setIssues(found)
    setOffered(undefined)
    setFailure(undefined)
    const first = Object.keys(found)[0]
    if (fields.some((field) => isFolded(field) && isWithin(found, field))) setUnfolded(true)
    if (first !== undefined && form.current) focus(form.current, first)
    return first === undefined
  }
  const body = () => {
    const all = bodyOf(fields, values, given !== undefined)
    return props.sendsOnlyChanges ? changesOf(all, bodyOf(fields, before, true)) : all
  }
  const showAtField = (error: unknown): boolean => {
    const path = error instanceof ApiError ? placeOf(fields, values, error.field) : undefined
    if (path && error instanceof ApiError) {
      const offer = props.offerOf?.(error)
      setIssues({ [path]: error.reason })
      setOffered(offer && { ...offer, path })
    }
    return path !== undefined
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete()) return
    setSending(true)
    await onSubmit(body()).catch((error: unknown) => {
      if (!showAtField(error)) setFailure(error)
    })
    setSending(false)
  }
  const reviewed: Reviewed | undefined = props.reviewOf && {
    call: props.reviewOf(body()),
    isComplete,
    showAtField,
    afterwards: props.afterwards?.(body()),
  }

  const take = ({ path, value }: { readonly path: string } & Offer) => {
    setValues((present) => setValue(present, path, value))
    setIssues({})
    setOffered(undefined)
  }
  const input = (field: Field) => (
    <Fragment key={field.name}>
      <FieldInput
        field={field}
        path={field.name}
        isFirst={field === fields[0]}
        value={values[field.name] ?? ''}
        issues={issues}
        autoComplete={autoComplete?.[field.name]}
        onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
      />
      {offered && isWithin({ [offered.path]: '' }, field) && (
        <Group>
          <Button variant="light" size="xs" onClick={() => take(offered)}>
            {offered.label}
          </Button>
        </Group>
      )}
    </Fragment>
  )
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Failure error={failure} />}
        {shownFields(fields, values)
          .filter((field) => !isFolded(field))
          .map(input)}
        {fields.some(isFolded) && (
          <Group>
            <Button
              variant="subtle"
              size="compact-sm"
              aria-expanded={isUnfolded}
              rightSection={
                isUnfolded ? (
                  <IconChevronUp size={14} aria-hidden />
                ) : (
                  <IconChevronDown size={14} aria-hidden />
                )
              }
              onClick={() => setUnfolded(!isUnfolded)}
            >
              More settings
            </Button>
          </Group>
        )}
        {isUnfolded && shownFields(fields, values).filter(isFolded).map(input)}
        <FormButtons
          submitLabel={submitLabel}
          isSending={isSending}
          isWide={isWide ?? false}
          reviewed={reviewed}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

/** A dialog focuses its first field as it opens; a form that had to load first does so itself. */
function useFirstFieldFocus() {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (form.current?.closest('[role=dialog]'))
      form.current.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [])
  return form
}

function changesOf(
  body: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  )
}

/** The form field of a rejected path: the field itself, or its nearest ancestor. */
function placeOf(
  fields: readonly Field[],
  values: FieldValues,
  refused: string | undefined,
): string | undefined {
  const [name, index, ...rest] = refused?.split('.') ?? []
  const field = fields.find((each) => each.name === name)
  const rows = field?.control === 'rows' ? (values[field.name] as readonly FieldValues[]) : []
  return field && rows[Number(index)] && field.fields.some((each) => each.name === rest[0])
    ? `${name}.${index}.${rest[0]}`
    : field?.name
}

const isWithin = (issues: Readonly<Record<string, string>>, { name }: Field) =>
  Object.keys(issues).some((path) => path === name || path.startsWith(`${name}.`))

function focus(form: HTMLFormElement, path: string): void {
  form.querySelector<HTMLElement>(`[name="${path}"]`)?.focus()
}
