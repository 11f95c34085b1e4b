/**
 * Lists the analytes that synthetic reports print: names as laboratories of four countries write them, units, and values around
 * plausible ranges. Used only for drawing reports; nothing here is shown to users.
 * Fields: slug; American; British; German; French; low; high; decimals; unit; UCUM; SI unit; UCUM; factor; decimals.
 */
export interface PrintedUnit {
  readonly text: string;
  readonly ucum: string;
  readonly factor: number;
  readonly decimals: number;
}

export type Language = 'us' | 'uk' | 'de' | 'fr';

export interface Analyte {
  readonly slug: string;
  readonly names: Readonly<Record<Language, string>>;
  readonly low: number;
  readonly high: number;
  readonly usual: PrintedUnit;
  readonly si: PrintedUnit;
  readonly section: string;
}

const table = `
# Complete blood count
white-blood-cells;WHITE BLOOD CELL COUNT;Total white cell count;Leukozyten;Leucocytes;3.8;10.8;1;Thousand/uL;10*3/uL;10^9/L;10*9/L;1;1
red-blood-cells;RED BLOOD CELL COUNT;Red blood cell count;Erythrozyten;Hématies;3.8;5.1;2;Million/uL;10*6/uL;10^12/L;10*12/L;1;2
haemoglobin;HEMOGLOBIN;Haemoglobin;Hämoglobin;Hémoglobine;11.7;15.5;1;g/dL;g/dL;g/L;g/L;10;0
haematocrit;HEMATOCRIT;Haematocrit;Hämatokrit;Hématocrite;35;45;1;%;%;L/L;L/L;0.01;3
mcv;MCV;Mean cell volume;MCV;VGM;80;100;1;fL;fL;fL;fL;1;1
mch;MCH;Mean cell haemoglobin;MCH;TCMH;27;33;1;pg;pg;pg;pg;1;1
mchc;MCHC;MCHC;MCHC;CCMH;32;36;1;g/dL;g/dL;g/L;g/L;10;0
rdw;RDW;RDW;RDW;RDW;11;15;1;%;%;%;%;1;1
platelets;PLATELET COUNT;Platelet count;Thrombozyten;Plaquettes;140;400;0;Thousand/uL;10*3/uL;10^9/L;10*9/L;1;0
neutrophils-absolute;ABSOLUTE NEUTROPHILS;Neutrophils;Neutrophile absolut;Polynucléaires neutrophiles;1.5;7.8;2;x10E3/uL;10*3/uL;10^9/L;10*9/L;1;2
lymphocytes-absolute;ABSOLUTE LYMPHOCYTES;Lymphocytes;Lymphozyten absolut;Lymphocytes;0.85;3.9;2;x10E3/uL;10*3/uL;10^9/L;10*9/L;1;2
neutrophils-percent;NEUTROPHILS;Neutrophils %;Neutrophile;Polynucléaires neutrophiles;40;75;1;%;%;%;%;1;1
lymphocytes-percent;LYMPHOCYTES;Lymphocytes %;Lymphozyten;Lymphocytes;20;45;1;%;%;%;%;1;1
monocytes-percent;MONOCYTES;Monocytes %;Monozyten;Monocytes;2;10;1;%;%;%;%;1;1
eosinophils-percent;EOSINOPHILS;Eosinophils %;Eosinophile;Polynucléaires éosinophiles;0.5;6;1;%;%;%;%;1;1
esr;ESR;ESR;BSG;Vitesse de sédimentation;2;20;0;mm/h;mm/h;mm/h;mm/h;1;0
# Comprehensive metabolic panel
glucose;GLUCOSE;Glucose;Glukose;Glycémie;65;99;0;mg/dL;mg/dL;mmol/L;mmol/L;0.05551;1
blood-urea-nitrogen;UREA NITROGEN (BUN);Blood urea nitrogen;Harnstoff-N;Azote uréique;7;25;0;mg/dL;mg/dL;mmol/L;mmol/L;0.357;1
creatinine;CREATININE;Creatinine;Kreatinin;Créatinine;0.5;1.1;2;mg/dL;mg/dL;µmol/L;umol/L;88.4;0
egfr;EGFR;eGFR;eGFR;DFG;60;120;0;mL/min/1.73m2;mL/min/{1.73_m2};mL/min/1.73m2;mL/min/{1.73_m2};1;0
sodium;SODIUM;Sodium;Natrium;Sodium;135;146;0;mmol/L;mmol/L;mmol/L;mmol/L;1;0
potassium;POTASSIUM;Potassium;Kalium;Potassium;3.5;5.3;1;mmol/L;mmol/L;mmol/L;mmol/L;1;1
chloride;CHLORIDE;Chloride;Chlorid;Chlorures;98;110;0;mmol/L;mmol/L;mmol/L;mmol/L;1;0
bicarbonate;CARBON DIOXIDE;Bicarbonate;Bikarbonat;Bicarbonates;20;32;0;mmol/L;mmol/L;mmol/L;mmol/L;1;0
calcium;CALCIUM;Calcium;Calcium;Calcium;8.6;10.2;1;mg/dL;mg/dL;mmol/L;mmol/L;0.2495;2
magnesium;MAGNESIUM;Magnesium;Magnesium;Magnésium;1.6;2.3;1;mg/dL;mg/dL;mmol/L;mmol/L;0.4114;2
phosphate;PHOSPHORUS;Phosphate;Phosphat;Phosphore;2.5;4.5;1;mg/dL;mg/dL;mmol/L;mmol/L;0.3229;2
uric-acid;URIC ACID;Urate;Harnsäure;Acide urique;2.5;7;1;mg/dL;mg/dL;µmol/L;umol/L;59.48;0
total-protein;PROTEIN, TOTAL;Total protein;Gesamteiweiß;Protéines totales;6.1;8.1;1;g/dL;g/dL;g/L;g/L;10;0
albumin;ALBUMIN;Albumin;Albumin;Albumine;3.6;5.1;1;g/dL;g/dL;g/L;g/L;10;0
globulin;GLOBULIN;Globulin;Globulin;Globulines;1.9;3.7;1;g/dL;g/dL;g/L;g/L;10;0
# Liver
total-bilirubin;BILIRUBIN, TOTAL;Total bilirubin;Bilirubin gesamt;Bilirubine totale;0.2;1.2;1;mg/dL;mg/dL;µmol/L;umol/L;17.1;0
alp;ALKALINE PHOSPHATASE;Alkaline phosphatase;Alkalische Phosphatase;Phosphatases alcalines;33;130;0;U/L;U/L;U/L;U/L;1;0
ast;AST;AST;GOT (AST);ASAT;10;35;0;U/L;U/L;U/L;U/L;1;0
alt;ALT;ALT;GPT (ALT);ALAT;6;29;0;U/L;U/L;U/L;U/L;1;0
ggt;GGT;Gamma GT;Gamma-GT;Gamma GT;3;65;0;U/L;U/L;U/L;U/L;1;0
ldh;LDH;LDH;LDH;LDH;100;220;0;U/L;U/L;U/L;U/L;1;0
# Lipids
total-cholesterol;CHOLESTEROL, TOTAL;Total cholesterol;Cholesterin gesamt;Cholestérol total;125;200;0;mg/dL;mg/dL;mmol/L;mmol/L;0.02586;1
hdl-cholesterol;HDL CHOLESTEROL;HDL cholesterol;HDL-Cholesterin;Cholestérol HDL;46;90;0;mg/dL;mg/dL;mmol/L;mmol/L;0.02586;2
ldl-cholesterol;LDL-CHOLESTEROL;LDL cholesterol;LDL-Cholesterin;Cholestérol LDL;60;130;0;mg/dL;mg/dL;mmol/L;mmol/L;0.02586;1
triglycerides;TRIGLYCERIDES;Triglycerides;Triglyceride;Triglycérides;40;150;0;mg/dL;mg/dL;mmol/L;mmol/L;0.01129;2
lipoprotein-a;LIPOPROTEIN (a);Lipoprotein(a);Lipoprotein (a);Lipoprotéine (a);5;75;0;nmol/L;nmol/L;nmol/L;nmol/L;1;0
apolipoprotein-b;APOLIPOPROTEIN B;Apolipoprotein B;Apolipoprotein B;Apolipoprotéine B;50;90;0;mg/dL;mg/dL;g/L;g/L;0.01;2
# Thyroid
tsh;TSH;TSH;TSH;TSH;0.4;4.5;2;mIU/L;m[IU]/L;mU/L;mU/L;1;2
free-t4;T4, FREE;Free T4;fT4;T4 libre;0.8;1.8;1;ng/dL;ng/dL;pmol/L;pmol/L;12.87;1
free-t3;T3, FREE;Free T3;fT3;T3 libre;2.3;4.2;1;pg/mL;pg/mL;pmol/L;pmol/L;1.536;1
thyroid-peroxidase-antibodies;THYROID PEROXIDASE ANTIBODIES;Thyroid peroxidase antibodies;TPO-Antikörper;Anticorps anti-TPO;1;9;0;IU/mL;[IU]/mL;IU/mL;[IU]/mL;1;0
# Vitamins and iron
ferritin;FERRITIN;Ferritin;Ferritin;Ferritine;16;232;0;ng/mL;ng/mL;µg/L;ug/L;1;0
iron;IRON, TOTAL;Iron;Eisen;Fer sérique;40;190;0;mcg/dL;ug/dL;µmol/L;umol/L;0.179;1
tibc;IRON BINDING CAPACITY;TIBC;TEBK;Capacité totale de fixation;250;450;0;mcg/dL;ug/dL;µmol/L;umol/L;0.179;0
transferrin-saturation;% SATURATION;Transferrin saturation;Transferrinsättigung;Coefficient de saturation;16;45;0;%;%;%;%;1;0
vitamin-b12;VITAMIN B12;Vitamin B12;Vitamin B12;Vitamine B12;200;1100;0;pg/mL;pg/mL;pmol/L;pmol/L;0.738;0
folate;FOLATE, SERUM;Folate;Folsäure;Folates;5.4;24;1;ng/mL;ng/mL;nmol/L;nmol/L;2.266;1
vitamin-d;VITAMIN D, 25-HYDROXY;25-hydroxyvitamin D;25-OH-Vitamin D;Vitamine D (25-OH);30;100;0;ng/mL;ng/mL;nmol/L;nmol/L;2.496;0
homocysteine;HOMOCYSTEINE;Homocysteine;Homocystein;Homocystéine;4;10.4;1;umol/L;umol/L;µmol/L;umol/L;1;1
# Diabetes and inflammation
hba1c;HEMOGLOBIN A1c;HbA1c;HbA1c;HbA1c;4;5.6;1;%;%;%;%;1;1
insulin;INSULIN;Insulin;Insulin;Insuline;2;18;1;uIU/mL;u[IU]/mL;mU/L;mU/L;1;1
hs-crp;HS CRP;High sensitivity CRP;hs-CRP;CRP ultrasensible;0.2;3;1;mg/L;mg/L;mg/L;mg/L;1;1
crp;C-REACTIVE PROTEIN;C-reactive protein;CRP;CRP;0.3;8;1;mg/L;mg/L;mg/L;mg/L;1;1
fibrinogen;FIBRINOGEN;Fibrinogen;Fibrinogen;Fibrinogène;175;425;0;mg/dL;mg/dL;g/L;g/L;0.01;2
# Hormones
total-testosterone;TESTOSTERONE, TOTAL;Testosterone;Testosteron;Testostérone;250;1100;0;ng/dL;ng/dL;nmol/L;nmol/L;0.03467;1
estradiol;ESTRADIOL;Oestradiol;Östradiol;Estradiol;15;350;0;pg/mL;pg/mL;pmol/L;pmol/L;3.671;0
progesterone;PROGESTERONE;Progesterone;Progesteron;Progestérone;0.5;20;1;ng/mL;ng/mL;nmol/L;nmol/L;3.18;1
prolactin;PROLACTIN;Prolactin;Prolaktin;Prolactine;3;30;1;ng/mL;ng/mL;ng/mL;ng/mL;1;1
fsh;FSH;FSH;FSH;FSH;2.5;10.2;1;mIU/mL;m[IU]/mL;IU/L;[IU]/L;1;1
lh;LH;LH;LH;LH;1.9;12.5;1;mIU/mL;m[IU]/mL;IU/L;[IU]/L;1;1
cortisol;CORTISOL;Cortisol;Cortisol;Cortisol;4;22;1;mcg/dL;ug/dL;nmol/L;nmol/L;27.59;0
dhea-s;DHEA SULFATE;DHEA sulphate;DHEA-S;SDHEA;50;350;0;mcg/dL;ug/dL;µmol/L;umol/L;0.02714;1
shbg;SEX HORMONE BINDING GLOBULIN;SHBG;SHBG;SHBG;17;124;0;nmol/L;nmol/L;nmol/L;nmol/L;1;0
parathyroid-hormone;PTH, INTACT;Parathyroid hormone;Parathormon;Parathormone;16;77;0;pg/mL;pg/mL;pmol/L;pmol/L;0.106;1
psa;PSA, TOTAL;PSA;PSA gesamt;PSA total;0.2;4;2;ng/mL;ng/mL;µg/L;ug/L;1;2
`;

const analyteOf = (line: string, section: string): Analyte => {
  const [slug, us, uk, de, fr, low, high, decimals, unit, ucum, si, siUcum, factor, siDecimals] = line.split(
    ';',
  ) as string[];
  return {
    slug: slug!,
    names: { us: us!, uk: uk!, de: de!, fr: fr! },
    low: Number(low),
    high: Number(high),
    usual: { text: unit!, ucum: ucum!, factor: 1, decimals: Number(decimals) },
    si: { text: si!, ucum: siUcum!, factor: Number(factor), decimals: Number(siDecimals) },
    section,
  };
};

export const analytes: readonly Analyte[] = (() => {
  let section = '';
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) {
        section = line.slice(2);
        return [];
      }
      return [analyteOf(line, section)];
    });
})();
