const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words after a supplement's name that change its meaning: "zinc finger", "vitamin D receptor". */
export const NOT_SUPPLEMENT_NEXT = words(
  `receptor receptors transporter transporters transferase synthase synthetase kinase phosphokinase dehydrogenase hydroxylase
  channel channels antagonist antagonists blocker blockers blockade free gene genes polymorphism polymorphisms oxidase reductase
  sensing signaling signalling chelation chelator chelators chelating cycle palmitoyltransferase methyltransferase
  acetyltransferase deiminase vasopressin finger fingers protoporphyrin zipper epoxide dependent ionophore oxalate hydroxide
  hypochlorite dobesilate score scores scoring alloy alloys stent stents oxide eugenol nanoparticles nanoparticle binding
  halothane clearance coated diffused infused stabilized sulfide contrast radiotherapy uptake onset lamp cement silicate`,
);

/** Words after a name that refer to the amount in the body instead of an intake; such a mention is weak evidence. */
export const STOCK_NEXT = words(
  `deficiency deficient insufficiency insufficient inadequacy status level levels concentration concentrations metabolism
  homeostasis overload excess balance depletion toxicity poisoning loss losses secretion rhythm rhythms suppression production
  excretion content stores`,
);

/** Words before a name that refer to the amount in the body. */
export const STOCK_BEFORE = words(
  `serum plasma endogenous salivary urinary circulating intracellular cytosolic coronary artery arterial tissue hair blood
  total free bound ionized intramuscular muscle liver hepatic brain cellular mitochondrial corrected skeletal`,
);

/** Exclusions for single words: the last word of the term, and the words that must not follow or precede it. */
export const NOT_WITH: Readonly<
  Record<string, { readonly next?: ReadonlySet<string>; readonly before?: ReadonlySet<string> }>
> = {
  zinc: { next: words('alpha') },
  iron: { next: words('man age lung'), before: words('cast') },
  iodine: { next: words('131 125 123 labeled'), before: words('povidone radioactive') },
  calcium: {
    next: words('handling influx transient transients entry ion ions release'),
    before: words('coronary artery intracellular'),
  },
  fiber: {
    next: words('type types size optic density laser tract tracts area post composite'),
    before: words('muscle nerve optic mossy carbon glass single i ii collagen'),
  },
  fibers: { next: words('type'), before: words('muscle nerve optic mossy carbon glass single i ii collagen') },
  collagen: {
    next: words(
      'type i ii iii iv vi induced synthesis fiber fibers deposition turnover degradation cross crosslinking crosslinked scaffold membrane sponge dressing matrix vascular formation gene',
    ),
  },
  creatine: { next: words('kinase phosphokinase transporter') },
  melatonin: { next: words('agonist agonists') },
  nitrate: { before: words('silver organic glyceryl econazole miconazole gallium') },
  caffeine: { next: words('withdrawal breath test') },
  decaffeinated: {},
  coffee: { before: words('decaffeinated') },
  folate: { next: words('antagonists antimetabolite') },
  lactobacillus: { next: words('casei cell acidophilus milk medium count counts colony colonies') },
  leucine: { next: words('rich repeat metabolite metabolites') },
  retinol: { next: words('cream') },
  gelatin: { next: words('sponge capsule capsules') },
  watermelon: { next: words('stomach seed') },
};

/** Words that change the meaning of a topic term, by the last (next) or first (before) word of the term. */
export const NOT_TOPIC: Readonly<
  Record<string, { readonly next?: ReadonlySet<string>; readonly before?: ReadonlySet<string> }>
> = {
  hypertension: { before: words('pulmonary portal intracranial ocular intraocular') },
  systolic: { next: words('heart function dysfunction failure') },
  strength: { next: words('of'), before: words('ionic tensile bond field dose evidence') },
  attention: {
    next: words('to has from as is in for'),
    before: words(
      'received increasing much great considerable more special particular attracted medical growing paid little',
    ),
  },
  memory: { next: words('t b cell cells foam'), before: words('immune') },
  recovery: { next: words('rate rates test'), before: words('full analyte') },
  falls: { next: words('below within into short under') },
  skin: { next: words('prick test tests fold folds temperature') },
  liver: { next: words('oil'), before: words('cod') },
  survival: { before: words('cell neuronal bacterial graft') },
  death: { before: words('cell neuronal') },
  stress: {
    next: words('fracture fractures test testing hyperemia ulcer'),
    before: words(
      'heat er reticulum mechanical shear nitrosative carbonyl oxidative osmotic thermal exercise physical metabolic',
    ),
  },
  depression: { before: words('st segment respiratory immune synaptic myocardial marrow bone longterm term') },
  glucose: { next: words('polymer polymers transporter placebo solution beverage drink'), before: words('uptake') },
  surgery: { next: words('department hospital') },
  cancer: { next: words('cell cells') },
  tumor: { next: words('necrosis cell cells') },
  inflammatory: { next: words('bowel') },
  sprint: { next: words('kayak') },
  burn: { before: words('fat calorie') },
  immune: { next: words('thrombocytopenia') },
  vision: { before: words('television') },
  antibody: { next: words('labeled array') },
  safety: { before: words('food road patient') },
  pain: { before: words('injection') },
  maternal: { next: words('separation') },
};

/** Topics that many texts mention without being about them; they need more points than other topics (see topics.ts). */
export const BROAD_TOPICS = words(
  'nutrient-status oxidative-stress critical-illness mortality quality-of-life immunity ageing inflammation',
);

/**
 * Topic words that mostly describe the people studied ("in overweight women"). They count like one mention in a title and not at
 * all in an abstract.
 */
export const POPULATION_WORDS = words('obese overweight obesity');

/** Words after an acronym that show that it names something eaten, so that it counts without the full name. */
export const EATEN_NEXT = words(
  'supplement supplements supplementation supplemented ingestion intake consumption administration capsules',
);

/** Matches words of a sentence that describes giving or eating a supplement. */
export const INTAKE =
  /\b(?:supplement\w*|intakes?|dietary|oral(?:ly)?|dos(?:e|es|age|ing)|mg|capsules?|tablets?|received|receiving|administ\w+|ingest\w+|consum\w+|treated|treatment|therapy|given|fortif\w+|enriched|extract|infusion|placebo|effects? of|efficacy|randomi[sz]ed|trial)\b/i;
