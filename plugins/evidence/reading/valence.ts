/** +1 when a higher value of the outcome is better for the person, -1 when a lower value is better, 0 when it is unknown. */
export type Valence = -1 | 0 | 1;

// The name of these outcomes contains a good change, so an increase is good: an increased "reduction in pain".
const GOOD_CHANGE =
  /\b(?:improve\w*|recovery|remission|respon(?:se|der)s?|relief|success\w*|cured?|healing|benefit|reductions? (?:in|of)|decreases? (?:in|of)|weight loss|resolution|clearance)\b/i;
const LESS_IS_BETTER =
  /\b(?:pain\w*|mortality|deaths?|died|blood pressure|hypertensi\w+|systolic|diastolic|sbp|dbp|depress\w*|anxi\w+|stress|fatigue|tired\w*|insomnia|latency|nausea|vomit\w*|diarrh\w+|constipation|bloating|symptoms?|severity|headaches?|migraines?|cramps?|soreness|infections?|colds?|influenza|pneumonia|sepsis|fever|relapse\w*|recurr\w+|incidence|risk|events?|stroke|infarction|fractures?|falls|cancer|tumou?rs?|adenomas?|diabetes|glucose|hba1c|glyc(?:a)?emi\w+|insulin resistance|homa(?:-ir)?|cholesterol|ldl|triglycerides?|lipids?|apob|lipoprotein\(a\)|crp|c-reactive|inflammat\w*|il-?6|tnf\w*|interleukin|malondialdehyde|oxidative|oxidized|homocysteine|uric acid|gout|bmi|body mass index|body weight|weight|obesity|fat mass|body fat|waist|appetite|hunger|adverse|side effects?|complications?|bleeding|h(?:a)?emorrhage|hospital\w*|length of stay|duration|disability|impairment|decline|dementia|alzheimer\w*|delirium|preterm|premature|pre-?eclampsia|stillbirth|miscarriage|low birth ?weight|small[- ]for|an(?:a)?emia|deficiency|rhinitis|asthma|allerg\w*|eczema|dermatitis|acne|psoriasis|itch\w*|pruritus|wrinkl\w*|hot flu?sh\w*|cirrhosis|steatosis|alt|ast|alanine|aspartate|creatinine|proteinuria|albuminuria|kidney stones?|toxicity|psychosis|mania|hyperactivity|craving|withdrawal|dropouts?|need for|requirement|errors?|reaction time|time to (?:exhaustion|completion)|completion time|heart rate|cortisol|arterial stiffness|pulse wave|intraocular|tinnitus|neuropathy|seizures?|spasm\w*|wheez\w*|exacerbations?|mucositis|ulcers?|caries|plaque|gingiv\w*|retinopathy|macular degeneration|cataract|atrial fibrillation|arrhythmi\w*|thrombo\w*|dysmenorrh\w*|cysts?|hair loss|restless)\b/i;
const MORE_IS_BETTER =
  /\b(?:quality of life|qol|sleep (?:quality|duration|efficiency|time)|total sleep|strength|power|endurance|performance|vo2\w*|muscle mass|lean (?:body )?mass|fat[- ]free mass|bone (?:mineral )?density|bmd|hdl|survival|live births?|pregnanc(?:y|ies) rates?|clinical pregnancy|ovulation|fertility|birth ?weight|growth|height|h(?:a)?emoglobin|hb|ferritin|iron status|25\(?oh\)?d?|vitamin (?:d|c|b\d+|e|k|a) (?:status|level|concentration)s?|cognit\w+|memory|attention|executive|mmse|function\w*|mobility|walking|flow[- ]mediated|fmd|ejection fraction|sperm|testosterone|libido|sexual|satisfaction|wellbeing|well-being|mood|antioxidant capacity|glutathione|superoxide dismutase|adiponectin|insulin sensitivity|visual acuity|vision|immun\w+|antibod\w+|seroconversion|adherence|compliance|time to exhaustion|bioavailability|absorption|resilience|vigou?r|alertness|energy levels?|hydration|elasticity|hair (?:growth|density)|effectiveness|efficacy)\b/i;
const BAD_FUNCTION = /\b(?:dysfunction|impairment|decline|loss of|worsening)\b/i;
const EXHAUSTION = /\btime to exhaustion\b/i;

/** Reads from the words of an outcome whether a higher value is better for the person. */
export const readValence = (outcome: string): Valence => {
  if (GOOD_CHANGE.test(outcome) || EXHAUSTION.test(outcome)) return 1;
  if (BAD_FUNCTION.test(outcome)) return -1;
  const more = MORE_IS_BETTER.exec(outcome);
  const less = LESS_IS_BETTER.exec(outcome);
  if (more && less) return more[0].length > less[0].length ? 1 : less[0].length > more[0].length ? -1 : 0;
  if (more) return 1;
  return less ? -1 : 0;
};
