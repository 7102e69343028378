import type { Migration } from '../../../core/area.ts'

export const createMetricSamples: Migration = {
  name: '202611230100-metric-samples',
  statements: ['create table metric_samples (ts integer primary key, sample text not null)'],
}
