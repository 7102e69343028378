import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { ruleTypes, type SmartRule } from '../rules/model.ts'
import { authdns } from './api.ts'
import { useZones } from './queries.ts'
import { bodyOfRule, formOfRule, RuleForm, ruleText } from './rule-form.ts'
import { done } from './ZoneDialogs.tsx'

interface DialogProps {
  /** Whether rules by country can be made. */
  readonly hasGeo: boolean
  readonly onClose: () => void
}

const choicesOf = (hasGeo: boolean, type?: string) =>
  ruleTypes.filter((each) => each !== 'geo' || hasGeo || type === 'geo')

/** Asks for a new rule and adds it. */
export function CreateRuleDialog({ hasGeo, onClose }: DialogProps) {
  const { data: zones } = useZones(true)
  const own = zones?.filter(({ kind }) => kind !== 'Slave').map(({ name }) => name)
  if (own === undefined) return null
  const text = {
    ...ruleText,
    zone: { ...ruleText.zone, ...(own.length > 0 && { first: own[0]! }) },
    rule_type: { ...ruleText.rule_type, choices: choicesOf(hasGeo) },
  }
  return (
    <PlannedForm
      title="Add a smart rule"
      confirmLabel="Add"
      schema={RuleForm}
      text={text}
      callOf={(form: RuleForm) => authdns.createSmartRule({ body: bodyOfRule(form) })}
      onClose={onClose}
      onDone={() => done(onClose, 'The rule was added.')}
    />
  )
}

/** Changes how a rule answers. */
export const EditRuleDialog = ({ rule, hasGeo, onClose }: DialogProps & { readonly rule: SmartRule }) => (
  <PlannedForm
    title={`Edit the rule of ${rule.record_name.replace(/\.$/, '')}`}
    confirmLabel="Save"
    schema={RuleForm}
    text={{
      ...ruleText,
      rule_type: { ...ruleText.rule_type, choices: choicesOf(hasGeo, rule.rule_type) },
    }}
    except={['zone', 'record_name', 'record_type']}
    given={formOfRule(rule)}
    callOf={(form: Partial<RuleForm>) => {
      const filled = Object.entries(form).filter(([, value]) => value !== '')
      const { rule_type, config = {} } = bodyOfRule({
        ...pick(rule),
        ...Object.fromEntries(filled),
      })
      return authdns.editSmartRule({ params: { id: rule.id }, body: { rule_type, config } })
    }}
    onClose={onClose}
    onDone={() => done(onClose, 'The rule was changed.')}
  />
)

function pick(rule: SmartRule): Pick<RuleForm, 'zone' | 'record_name' | 'record_type' | 'rule_type' | 'ttl'> {
  const { zone, record_name, record_type, rule_type, ttl } = formOfRule(rule)
  return { zone, record_name, record_type, rule_type, ttl }
}
