import { readSpecs } from './specs.ts';

/**
 * Phones of 2016 to 2026, written from memory: maker, series, model, sizes as `RAM/storage` or storage alone (T is 1024 GB).
 * `^` marks a model that was only ever sold with 5G. A model that ends in `5G` is another phone than the one without.
 */
const PHONES = `
Apple/iPhone
7 32 128 256; 7 Plus 32 128 256; 8 64 128 256; 8 Plus 64 256; X 64 256; XR 64 128 256; XS 64 256 512; XS Max 64 256 512
SE 16 32 64 128; SE (2020) 64 128 256; ^SE (2022) 64 128 256; 11 64 128 256; 11 Pro 64 256 512; 11 Pro Max 64 256 512
^12 mini 64 128 256; ^12 64 128 256; ^12 Pro 128 256 512; ^12 Pro Max 128 256 512; ^13 mini 128 256 512; ^13 128 256 512
^13 Pro 128 256 512 1T; ^13 Pro Max 128 256 512 1T; ^14 128 256 512; ^14 Plus 128 256 512; ^14 Pro 128 256 512 1T
^14 Pro Max 128 256 512 1T; ^15 128 256 512; ^15 Plus 128 256 512; ^15 Pro 128 256 512 1T; ^15 Pro Max 256 512 1T
^16 128 256 512; ^16 Plus 128 256 512; ^16 Pro 128 256 512 1T; ^16 Pro Max 256 512 1T; ^16e 128 256 512
^17 256 512; ^17 Air 256 512 1T; ^17 Pro 256 512 1T; ^17 Pro Max 256 512 1T
Samsung/Galaxy
S7 4/32 4/64; S7 edge 4/32 4/64; S8 4/64; S8+ 4/64 6/128; S9 4/64 4/128; S9+ 6/64 6/128 6/256; S10 8/128 8/512; S10e 6/128 8/256
S10+ 8/128 8/512 12/1T; S10 5G 8/256 8/512; S10 Lite 6/128 8/128; S20 8/128; S20 5G 12/128; S20+ 8/128; S20+ 5G 12/128 12/512
^S20 Ultra 12/128 12/256 16/512; S20 FE 6/128 8/256; S20 FE 5G 6/128 8/128 8/256; ^S21 8/128 8/256; ^S21+ 8/128 8/256
^S21 Ultra 12/128 12/256 16/512; ^S21 FE 6/128 8/256; ^S22 8/128 8/256; ^S22+ 8/128 8/256; ^S22 Ultra 8/128 12/256 12/512
^S23 8/128 8/256; ^S23+ 8/256 8/512; ^S23 Ultra 8/256 12/512 12/1T; ^S23 FE 8/128 8/256; ^S24 8/128 8/256; ^S24+ 12/256 12/512
^S24 Ultra 12/256 12/512 12/1T; ^S24 FE 8/128 8/256; ^S25 12/128 12/256; ^S25+ 12/256 12/512; ^S25 Ultra 12/256 12/512 16/1T
^S25 Edge 12/256 12/512; ^S25 FE 8/128 8/256; Note8 6/64 6/128; Note9 6/128 8/512; Note10 8/256; Note10+ 12/256 12/512
Note10 5G 12/256; Note10+ 5G 12/256 12/512; Note10 Lite 6/128 8/128; Note20 8/256; Note20 5G 8/256; Note20 Ultra 8/256 12/512
Note20 Ultra 5G 12/256 12/512; Z Flip 8/256; Z Flip 5G 8/256; ^Z Flip3 8/128 8/256; ^Z Flip4 8/128 8/256 8/512; ^Z Flip5 8/256 8/512
^Z Flip6 12/256 12/512; ^Z Flip7 12/256 12/512; ^Z Flip7 FE 8/128 8/256; ^Z Fold2 12/256; ^Z Fold3 12/256 12/512
^Z Fold4 12/256 12/512; ^Z Fold5 12/256 12/512 12/1T; ^Z Fold6 12/256 12/512; ^Z Fold7 12/256 12/512; A3 (2017) 2/16; A5 (2017) 3/32
A7 (2018) 4/64; A8 (2018) 4/32; A6 (2018) 3/32; A6+ (2018) 3/32; A9 (2018) 6/128; A02s 3/32; A03 3/32 4/64; A03s 3/32; A04s 3/32 4/64
A05 4/64 4/128; A05s 4/64 4/128; A06 4/64 4/128; A06 5G 4/64 4/128; A10 2/32; A12 3/32 4/64 4/128; A13 3/32 4/64 4/128; A13 5G 4/64 4/128
A14 4/64 4/128; A14 5G 4/64 4/128; A15 4/128 8/256; A15 5G 4/128 8/256; A16 4/128 8/256; A16 5G 4/128 8/256; A17 4/128 8/256
A17 5G 4/128 8/256; A20e 3/32; A21s 3/32 4/64; A22 4/64 4/128; A22 5G 4/64 4/128; A23 4/64 4/128; A23 5G 4/64 4/128; ^A25 6/128 8/256
^A26 6/128 8/256; A30s 4/64; A31 4/64; A32 4/64 4/128; A32 5G 4/64 4/128; ^A33 6/128; ^A34 6/128 8/256; ^A35 6/128 8/256
^A36 6/128 8/256; A40 4/64; A41 4/64; A42 5G 4/128; A50 4/128; A51 4/128 6/128; A51 5G 6/128; A52 6/128 8/256; A52 5G 6/128 8/256
^A52s 6/128 8/256; ^A53 6/128 8/256; ^A54 6/128 8/128 8/256; ^A55 8/128 8/256; ^A56 8/128 8/256; A70 6/128; A71 6/128 8/128
A71 5G 6/128 8/128; A72 6/128 8/256; ^A73 6/128 8/256; A80 8/128; A90 5G 6/128; M12 4/64; M13 4/64; M13 5G 4/64 6/128; M14 4/64
M14 5G 4/64 4/128; M23 4/128; M32 6/128; M32 5G 6/128; M33 6/128; M52 6/128; M53 6/128 8/128; XCover 5 4/64; XCover6 Pro 6/128
XCover7 6/128; J3 (2017) 2/16; J5 (2017) 2/16; J6 3/32; J6+ 3/32
Google/Pixel
Pixel~ 32 128; Pixel~ XL 32 128; 2 64 128; 2 XL 64 128; 3 64 128; 3 XL 64 128; 3a 64; 3a XL 64; 4 64 128; 4 XL 64 128; 4a 128
4a 5G 128; ^5 128; ^5a 128; ^6 128 256; ^6 Pro 128 256 512; ^6a 128; ^7 128 256; ^7 Pro 128 256 512; ^7a 128; ^8 128 256; ^8 Pro 128 256 512
^8a 128 256; ^9 128 256; ^9 Pro 128 256 512; ^9 Pro XL 128 256 512 1T; ^9 Pro Fold 256 512; ^9a 128 256; ^Fold 256 512; ^10 128 256
^10 Pro 128 256 512; ^10 Pro XL 256 512 1T; ^10 Pro Fold 256 512
Xiaomi/Redmi
9 3/32 4/64; 9A 2/32; 9C 2/32 3/64; 9T 4/64 4/128; 10 4/64 4/128 6/128; 10 5G 4/64 4/128; 10A 2/32 3/64; 10C 3/64 4/128; 12 4/128 8/256
12 5G 4/128 8/256; 12C 3/64 4/128; 13C 4/128 8/256; 13C 5G 4/128 8/256; 14C 4/128 8/256; 14C 5G 4/128; 15 6/128 8/256; 15 5G 4/128 8/256
A1 2/32; A2 2/32 3/64; A3 3/64 4/128; A5 3/64 4/128; Note 8 4/64 4/128; Note 8 Pro 6/64 6/128; Note 8T 4/64 4/128; Note 9 3/64 4/128
Note 9 5G 4/128; Note 9 Pro 6/64 6/128; Note 9S 4/64 6/128; Note 10 4/64 4/128 6/128; Note 10 5G 4/64 4/128 6/128; Note 10S 6/64 6/128 8/128
Note 10 Pro 6/64 6/128 8/128; Note 11 4/64 4/128 6/128; Note 11 5G 4/128 6/128; Note 11S 6/64 6/128 8/128; Note 11S 5G 4/64 4/128 6/128
Note 11 Pro 6/64 6/128 8/128; Note 11 Pro 5G 6/64 6/128 8/128; ^Note 11 Pro+ 6/128 8/128 8/256; Note 12 4/64 4/128 6/128
Note 12 5G 4/128 6/128 8/256; Note 12S 6/64 8/256; Note 12 Pro 6/128 8/256; Note 12 Pro 5G 6/128 8/128 8/256; ^Note 12 Pro+ 8/256 12/256
Note 13 6/128 8/256; Note 13 5G 6/128 8/256; Note 13 Pro 8/256 12/512; Note 13 Pro 5G 8/256 12/512; ^Note 13 Pro+ 8/256 12/256 12/512
Note 14 6/128 8/256; Note 14 5G 6/128 8/256; Note 14 Pro 8/256 12/512; Note 14 Pro 5G 8/256 12/512; ^Note 14 Pro+ 8/256 12/256 12/512
Xiaomi/Mi
A1 4/64; A2 4/64 6/128; A3 4/64 4/128; 9 6/64 6/128; 9T 6/64 6/128; 9T Pro 6/64 6/128; 10 8/128 8/256; 10T 6/128 8/128; 10T Pro 8/128 8/256; 10T Lite 6/64 6/128; 11 8/128 8/256
11i 8/128 8/256; 11 Ultra 12/256 12/512; 11 Lite 6/64 6/128; 11 Lite 5G 6/128 8/128; Note 10 6/128; Note 10 Pro 8/256; Note 10 Lite 6/64 6/128
Xiaomi/-
^11T 8/128 8/256; ^11T Pro 8/128 8/256; ^11 Lite NE 6/128 8/128; ^12 8/128 8/256; ^12X 8/128 8/256; ^12 Pro 8/256 12/256; ^12 Lite 8/128
^12T 8/128 8/256; ^12T Pro 8/256 12/256; ^13 8/256 12/256; ^13 Pro 12/256 12/512; ^13 Lite 8/128 8/256; ^13 Ultra 12/512; ^13T 8/256 12/256
^13T Pro 12/512 16/1T; ^14 12/256 12/512; ^14 Ultra 16/512; ^14T 12/256 12/512; ^14T Pro 12/512 12/1T; ^15 12/256 12/512; ^15 Ultra 16/512 16/1T
^15T 12/256 12/512; ^15T Pro 12/256 12/512; Black Shark 4 8/128 12/256
Xiaomi/POCO
X3 NFC 6/64 6/128; X3 Pro 6/128 8/256; ^X4 Pro 6/128 8/256; ^X5 6/128 8/256; ^X5 Pro 6/128 8/256; ^X6 8/256 12/512; ^X6 Pro 8/256 12/512
^X7 8/256 12/512; ^X7 Pro 8/256 12/512; M3 4/64 4/128; M3 Pro 4/64 6/128; M3 Pro 5G 4/64 6/128; M4 Pro 6/128 8/256; M4 Pro 5G 4/64 6/128
M5 4/64 4/128; M5s 4/64 4/128; M6 Pro 8/256 12/512; M6 Pro 5G 4/64 6/128; ^F3 6/128 8/256; ^F4 6/128 8/256; ^F5 8/256 12/256; ^F5 Pro 8/256 12/512
^F6 8/256 12/512; ^F6 Pro 12/256 12/512; ^F7 12/256 12/512; C40 3/32 4/64; C55 4/64 6/128; C65 6/128 8/256; C75 6/128 8/256
Huawei/-
P10 4/64; P10 Plus 6/128; P10 Lite 4/32; P20 4/128; P20 Pro 6/128; P20 Lite 4/64; P30 6/128 8/128; P30 Pro 6/128 8/128 8/256; P30 Lite 4/128 6/256
P40 8/128; P40 Pro 8/256; P40 Pro+ 8/256 8/512; P40 Lite 6/128; P40 Lite 5G 6/128; P40 Lite E 4/64; P50 Pro 8/256; P60 Pro 8/256 12/512
P smart (2019) 3/64; P smart (2021) 4/128; Y6 (2019) 2/32; Y6p 3/64; Y9 (2019) 4/64; Pura 70 12/256; Pura 70 Pro 12/512; Pura 70 Ultra 16/512
Huawei/Mate
10 Pro 6/128; 20 4/128; 20 Pro 6/128 8/256; 20 Lite 4/64; 20 X 6/128; 20 X 5G 8/256; 30 Pro 8/256; 40 Pro 8/256; 50 Pro 8/256; X3 12/512; X6 12/512
Huawei/nova
5T 6/128 8/128; 8i 6/128; 9 8/128; 9 SE 8/128; 10 8/128; 10 Pro 8/256; 10 SE 8/128; 11i 8/128; 12 SE 8/256; 13 Pro 12/512; Y70 4/128; Y90 6/128
Honor/-
8X 4/64 4/128; 9 4/64; 9X 4/128; 9X Pro 6/256; 10 4/64 4/128; 10 Lite 3/64; 20 6/128; 20 Pro 8/256; 20 Lite 4/128; 50 6/128 8/256; 50 Lite 6/128
^70 8/128 8/256; 70 Lite 4/128; 70 Lite 5G 4/128; ^90 8/256 12/512; ^90 Lite 8/256; 200 8/256 12/512; 200 Pro 12/512; 200 Lite 8/256
200 Lite 5G 8/256; 400 8/256 8/512; 400 Pro 12/512; 400 Lite 8/256; X6 4/64 4/128; X6a 4/128; X6b 4/128; X7 4/128; X7a 4/128; X7b 6/128
X7b 5G 6/128; X8 6/128; X8 5G 6/128; X8a 6/128; X8b 8/256; X9a 6/128 8/256; X9b 8/256 12/256
Honor/Magic
^4 Pro 8/256; 4 Lite 6/128; 4 Lite 5G 6/128; ^5 Pro 12/512; ^5 Lite 6/128 8/256; ^6 Pro 12/512; 6 Lite 8/256; ^7 Pro 12/512; 7 Lite 8/256 8/512
^V2 16/512; ^V3 12/512; ^Vs 12/512
OnePlus/-
3T 6/64 6/128; 5 6/64 8/128; 5T 6/64 8/128; 6 6/64 8/128 8/256; 6T 6/128 8/128 8/256; 7 6/128 8/256; 7 Pro 6/128 8/256 12/256; 7 Pro 5G 12/256
7T 8/128; 7T Pro 8/256; ^8 8/128 12/256; ^8 Pro 8/128 12/256; ^8T 8/128 12/256; ^9 8/128 12/256; ^9 Pro 8/128 12/256; ^10 Pro 8/128 12/256
^10T 8/128 16/256; ^11 8/128 16/256; ^12 12/256 16/512; ^12R 16/256; ^13 12/256 16/512; ^13R 12/256 16/512; ^Open 16/512
OnePlus/Nord
Nord~ 8/128 12/256; CE 8/128 12/256; 2 8/128 12/256; CE 2 8/128; CE 2 Lite 6/128 8/128; 2T 8/128 12/256; CE 3 Lite 8/128 8/256; 3 8/128 16/256
CE 4 8/128 8/256; CE 4 Lite 8/256; 4 8/256 12/256 16/512; 5 8/256 12/512; N10 6/128; N100 4/64
OPPO/-
A5 (2020) 3/64; A9 (2020) 4/128; A15 2/32 3/32; A16 3/32 4/64; A16s 4/64; A17 4/64; A18 4/128; A38 4/128; A40 4/128 6/128; A52 4/64; A53 4/64
A53s 4/128; A54 4/64 4/128; A54 5G 4/64 4/128; A54s 4/128; A57 4/64; A57s 4/64 4/128; A58 6/128 8/128; A58 5G 6/128; A60 8/128 8/256; A72 4/128
A74 4/128 6/128; A74 5G 6/128; A76 4/128; A77 4/128; A77 5G 4/64 6/128; A78 8/128; A78 5G 4/128 8/128; A79 4/128 8/256; A91 8/128; A94 8/128
A94 5G 8/128; A96 6/128; A98 8/256
OPPO/Find
X2 8/128 12/256; X2 Lite 8/128; X2 Neo 12/256; X2 Pro 12/512; ^X3 Lite 8/128; ^X3 Neo 12/256; ^X3 Pro 12/256; ^X5 8/256; ^X5 Lite 8/256
^X5 Pro 12/256; ^X8 Pro 16/512; ^N2 Flip 8/256; ^N3 Flip 12/256
OPPO/Reno
2 8/256; 2Z 8/128; 4 8/128; 4 5G 8/128; 4 Pro 12/256; 4 Z 8/128; 6 8/128; 6 5G 8/128; 6 Pro 12/256; 8 8/256; 8 Lite 8/128; 8 Pro 8/256; 8T 8/128
8T 5G 8/256; 10 8/256; 10 Pro 12/256; 11 8/256; 11 F 8/256; 11 Pro 12/512; 12 12/256 12/512; 12 F 8/256; 12 F 5G 8/256; 12 Pro 12/512; 13 8/256 12/512
realme/-
6 4/64 8/128; 6 Pro 8/128; 7 6/64 8/128; 7 5G 6/128 8/128; 7 Pro 8/128; 8 4/64 6/128; 8 5G 4/64 8/128; 8 Pro 6/128 8/128; 8i 4/64 4/128; 9 6/128 8/128
9 5G 4/64 4/128; 9 Pro 6/128 8/128; 9 Pro+ 6/128 8/256; 9i 4/64 4/128; 10 4/64 8/128; 11 8/128 8/256; 11 5G 8/128 8/256; 11 Pro 8/128 8/256
11 Pro+ 8/256 12/512; 12 8/256 8/512; 12 5G 6/128 8/256; 12 Pro 8/256 12/256; 12 Pro+ 8/256 12/512; 12+ 8/256 12/512; 14 8/256 12/256
14 Pro 8/256 12/512; 14 Pro+ 8/256 12/512; C11 2/32; C21 3/32 4/64; C25 4/64; C30 2/32 3/32; C31 3/32 4/64; C33 4/64 4/128; C35 4/64 4/128
C51 4/64 4/128; C53 6/128 8/256; C55 6/128 8/256; C61 6/128; C67 6/128 8/256; C67 5G 4/128 6/128; C75 6/128 8/256
realme/GT
GT~ 8/128 12/256; 2 8/128 12/256; 2 Pro 8/128 12/256; Neo 2 8/128 12/256; Neo 3 8/128 8/256; Neo 3T 8/128 8/256; 6 8/256 12/256; 6T 8/256 12/256; 7 8/256 12/512
Motorola/Moto
E7 2/32; E13 2/64; E14 2/64; E20 2/32; E22 3/32 4/64; E22i 2/32; E32 4/64; E32s 3/32 4/64; G4 2/16; G4 Plus 3/32; G5 3/16; G5 Plus 3/32; G5S 3/32
G5S Plus 3/32; G6 3/32; G6 Plus 4/64; G6 Play 3/32; G7 4/64; G7 Plus 4/64; G7 Play 2/32; G7 Power 4/64; G8 4/64; G8 Plus 4/64; G8 Power 4/64
G9 Play 4/64; G9 Plus 4/128; G9 Power 4/128; G10 4/64; G13 4/128; G14 4/128; G20 4/64; G22 4/64; G23 4/128 8/128; G24 4/128 8/128; G24 Power 8/256
G30 6/128; G31 4/64; G32 4/128; G34 4/128 8/256; G50 4/64; G50 5G 4/64; G52 4/128; G53 4/128; G54 8/256 12/256; G54 Power 12/256; G55 8/256; G60 6/128
G60s 4/64; G62 4/64 4/128; G73 8/256; G75 8/256; G82 6/128; G84 8/256 12/256; G85 8/256 12/256; G100 8/128; G200 8/128
Motorola/-
Edge 20 6/128 8/128; Edge 20 Lite 6/128; Edge 20 Pro 12/256; ^Edge 30 8/128 8/256; ^Edge 30 Neo 8/128; ^Edge 30 Fusion 8/128; ^Edge 30 Pro 12/256
^Edge 30 Ultra 8/128 12/256; ^Edge 40 8/256; ^Edge 40 Neo 12/256; ^Edge 40 Pro 12/256; ^Edge 50 8/256; ^Edge 50 Fusion 8/256 12/512; ^Edge 50 Neo 8/256
^Edge 50 Pro 12/512; ^Edge 50 Ultra 16/1T; ^Edge 60 8/256 12/512; ^Edge 60 Pro 12/512; ^Razr 40 8/256; ^Razr 40 Ultra 8/256; ^Razr 50 8/256
^Razr 50 Ultra 12/512; ^Razr 60 8/256; ^Razr 60 Ultra 16/512
Sony/Xperia
XZ1 4/64; XZ1 Compact 4/32; XZ2 4/64; XZ2 Compact 4/64; XZ3 4/64; 1 6/64 6/128; 1 II 8/256; 1 III 12/256; 1 IV 12/256; 1 V 12/256; 1 VI 12/256
5 6/128; 5 II 8/128; 5 III 8/128; 5 IV 8/128; 5 V 8/128; 10 3/64; 10 Plus 4/64; 10 II 4/128; 10 III 6/128; 10 III Lite 6/64; 10 IV 6/128; 10 V 6/128
10 VI 8/128; L3 3/32; L4 3/64; Pro-I 12/512
Nokia/-
1.4 2/32; 2.3 2/32; 2.4 2/32; 3.4 3/32 4/64; 4.2 3/32; 5.3 4/64; 5.4 4/64 4/128; 6.2 4/64; 7.2 4/64 6/128; 8.3 6/64 8/128; 9 PureView 6/128
C2 1/16; C2 2nd Edition 1/32; C12 2/64; C21 2/32; C21 Plus 2/32; C22 2/64; C32 3/64; G10 3/32; G11 3/32; G11 Plus 3/32; G20 4/64; G21 4/64 4/128
G22 4/64 4/128; G42 4/128 6/128; G60 4/128 6/128; X10 4/64 6/128; X20 6/128 8/128; X30 6/128 8/256; XR20 4/64 6/128; XR21 6/128
Nothing/-
^Phone (1) 8/128 8/256 12/256; ^Phone (2) 8/128 12/256 12/512; ^Phone (2a) 8/128 8/256 12/256; ^Phone (2a) Plus 12/256; ^Phone (3) 12/256 16/512
^Phone (3a) 8/128 12/256; ^Phone (3a) Pro 12/256
Asus/Zenfone
8 8/128 8/256; 8 Flip 8/256; 9 8/128 8/256; 10 8/256 16/512; 11 Ultra 12/256 16/512
Asus/ROG Phone
5 12/256 16/256; 5s 12/256 16/512; 6 12/256 16/512; 6 Pro 18/512; 7 12/256 16/512; 7 Ultra 16/512; 8 12/256; 8 Pro 16/512 24/1T
Fairphone/-
Fairphone~ 3 4/64; Fairphone~ 3+ 4/64; Fairphone~ 4 6/128 8/256; Fairphone~ 5 8/256
LG/-
G6 4/32; G7 ThinQ 4/64; G8 ThinQ 6/128; G8X ThinQ 6/128; V30 4/64; V40 ThinQ 6/128; V60 ThinQ 8/128; Velvet 6/128; Velvet 5G 6/128; K41S 3/32; K42 3/64; K52 4/64
HTC/Desire
12 3/32; 12+ 3/32; 20 Pro 6/128; 20+ 4/128; 21 Pro 8/128; 22 Pro 8/128
HTC/-
10 4/32; U11 4/64 6/128; U11 Life 3/32; U12+ 6/64 6/128; U20 8/256; U23 Pro 8/256 12/256
vivo/-
V21 8/128; V21 5G 8/128; V23 8/128 12/256; V29 8/256 12/512; V29 Lite 8/128; V40 8/256 12/512; V40 Lite 8/256; X60 Pro 12/256; X80 Pro 12/256; X90 Pro 12/256
X100 Pro 16/512; Y01 3/32; Y16 4/64 4/128; Y21 4/64; Y21s 4/128; Y22s 6/128; Y33s 8/128; Y35 8/128 8/256; Y36 8/128 8/256; Y36 5G 8/256; Y52 4/128; Y72 8/128; Y76 8/128 8/256
TCL/-
10 Pro 6/128; 10L 6/64; 20 SE 4/64 4/128; 20L 4/128; 20L+ 6/256; 20R 4/64; 30 4/64; 30 5G 4/64; 30+ 4/128; 30 SE 4/64 4/128; 40 SE 4/128 6/128; 40 R 4/64; 50 SE 6/256; 50 5G 4/128
Nubia/-
Red Magic 5G 8/128 12/256; Red Magic 6 12/128; Red Magic 8 Pro 12/256 16/512; Z50 8/128 12/256
BlackBerry/-
KEYone 3/32; KEY2 6/64 6/128; KEY2 LE 4/32 4/64; Motion 4/32
`;

/** A model of a maker, by what its name says of it. */
export interface Phone {
  readonly maker: string;
  /** The word that may stand for the maker, `''` where the maker has none. */
  readonly series: string;
  /** As the maker writes it, without maker, series and `5G`. */
  readonly model: string;
  /** Models that are written alike but for spaces and `Plus` for `+` share it. */
  readonly words: string;
  readonly is5gForm: boolean;
  readonly is5gOnly: boolean;
  readonly sizes: readonly Size[];
}

export interface Size {
  readonly ram?: number;
  readonly storage: number;
}

/** All phones there are: those above and, where `NAMES_SPECS` names the folder, those of specification tables that are new. */
export const PHONE_LIST: readonly Phone[] = addSpecs(readPhones(), process.env['NAMES_SPECS']);

/** The model's words without spaces and brackets, with `plus` for `+`. */
export function squeeze(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replaceAll(/[^a-z0-9.]/g, '');
}

function addSpecs(phones: readonly Phone[], folder: string | undefined): readonly Phone[] {
  if (folder === undefined) return phones;
  const keyOf = ({ maker, series, model }: Phone): string => squeeze(`${maker}${series}${model}`);
  const own = new Set(phones.map(keyOf));
  const added = new Map<string, Phone>();
  for (const phone of readSpecs(folder, squeeze)) {
    if (!own.has(keyOf(phone))) added.set(`${keyOf(phone)}/${String(phone.is5gForm)}`, phone);
  }
  return [...phones, ...added.values()];
}

function readPhones(): Phone[] {
  const phones: Phone[] = [];
  let maker = '';
  let series = '';
  for (const line of PHONES.trim().split('\n')) {
    const heading = /^([A-Za-z]+)\/(.+)$/.exec(line);
    if (heading !== null && !/\d/.test(line)) {
      [, maker = '', series = ''] = heading;
      if (series === '-') series = '';
      continue;
    }
    for (const entry of line.split('; ')) phones.push(readPhone(maker, series, entry));
  }
  return phones;
}

function readPhone(maker: string, series: string, entry: string): Phone {
  const words = entry.replace('^', '').split(' ');
  const at = words.findIndex(
    (word, index) => index > 0 && /^(\d+\/)?\d+T?$/.test(word) && words.slice(index).every(isSize),
  );
  const is5gForm = words[at - 1] === '5G' && at > 1;
  // `Nord~`: the series by itself is a model.
  const model = words
    .slice(0, is5gForm ? at - 1 : at)
    .join(' ')
    .replace(/^(\S+)~ ?/, '');
  return {
    maker,
    series,
    model,
    words: squeeze(model),
    is5gForm,
    is5gOnly: entry.startsWith('^'),
    sizes: words.slice(at).map(readSize),
  };
}

function isSize(word: string): boolean {
  return /^(\d+\/)?(16|32|64|128|256|512|1T)$/.test(word);
}

function readSize(text: string): Size {
  const [last = '', ram] = text.split('/').toReversed();
  const storage = last === '1T' ? 1024 : Number(last);
  return ram === undefined ? { storage } : { ram: Number(ram), storage };
}
