/** A FHIR R4 bundle (https://hl7.org/fhir/R4/bundle.html) of a device's resources, for other programs. */
import type { FhirResource } from './holdings.ts';

export const fhirBundle = (resources: readonly FhirResource[], at: Date) => ({
  resourceType: 'Bundle',
  type: 'collection',
  timestamp: at.toISOString(),
  entry: resources.map((resource) => ({ fullUrl: `urn:uuid:${resource.id}`, resource })),
});
