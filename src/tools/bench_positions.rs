//! The positions of `chuhe bench`, from our own perft collection: openings, middlegames and endings of
//! tournament and computer games, and a few sharp ones. Changing this list changes the bench number.

/// FENs of legal positions in which the game is not over.
pub(super) const POSITIONS: [&str; 40] = [
    // Openings: positions of tournament and computer games.
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1b1kabr1/4a1c2/1cn3n2/p1p1p1R1p/4P1p2/2P6/P5P1P/1C2C1N2/9/RNBAKAB2 w - - 0 1",
    "2bakab1r/c8/2n3nc1/p1R1p1p1p/2p6/6r2/P1P1P3P/2N1CCN2/9/2BAKABR1 b - - 0 1",
    "r2akabr1/9/n1c1b1n2/N1p1p2Cp/6p2/P1Pc5/4P1P1P/1C4N2/R8/2BAKABR1 b - - 0 1",
    "r1bakabr1/9/1cn3nc1/p3p2Rp/2p3p2/9/P1P1P1P1P/1CN1C1N2/R8/2BAKAB2 b - - 0 1",
    "r1bakab1r/9/c1n1c1n2/p1p1p1p1p/9/6P2/P1P1P3P/NC2B1NC1/9/R1BAKA2R w - - 0 1",
    "rnbakab1r/9/2c1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/4C1NC1/9/RNBAKABR1 b - - 0 1",
    "r1bak2r1/4a4/1cn1b2c1/p1p1p3p/4P1pn1/2P6/P5P1P/1CN1C1N2/5R3/R1BAKAB2 b - - 0 1",
    "r1bakabr1/9/3c2n2/p3p1N1p/2p6/6P2/PcP1n3P/N2CB2C1/4A4/R1BAKR3 w - - 0 1",
    "1rbakab2/5r3/1cn3n2/p3p1N1p/2p6/6Pc1/P1P1P3P/2N1CC3/9/R1BAKAB1R w - - 0 1",
    "r2akab2/9/1cn1b1c2/p1p1p3p/5np2/2P6/P3P1P1P/1CN1C1N2/7R1/2BAKAB2 b - - 0 1",
    // Middlegames of the same games.
    "2b1ka3/4a4/3c5/p1p1C3p/2b1P4/3N5/P5R1P/9/4A2r1/2rAK4 b - - 0 1",
    "2baka2r/1r7/1c2b1n2/p3p3p/3n3c1/2R3p2/P3P3P/2N1C1NC1/1R7/2BAKAB2 w - - 0 1",
    "1nb1kac2/4a1C2/2c1b1n2/P1N1p3p/9/2P2N1R1/r3P3P/2C1B4/4A4/2BAK4 w - - 0 1",
    "3rkabr1/4a4/2n1b1n2/p3p3p/2pP2p2/2P6/Pc2N1PcP/1CN1C4/4A4/R1B1KABR1 w - - 0 1",
    "2Pk1ab2/4a1R2/4bc3/p3n3p/9/9/P1R1P3P/8B/3rAp1r1/1CB1KA3 b - - 0 1",
    "4kab2/4a4/2n1b3c/p1p1p3p/3r1n3/2P1P1R2/PR6P/C1N2C3/4A4/2BAK1Br1 w - - 0 1",
    "2bak2n1/4a4/4b4/4p1p1p/2pc5/R5P2/2PCPr2P/6N2/4A4/2B1KAB2 b - - 0 1",
    "4ka3/2C1a4/3cb2c1/n4r2p/p3N4/1N5RP/P3P4/9/4A4/2B1KAB2 w - - 0 1",
    "1R2kab2/4a4/2n1b4/p1p3r1p/6c2/2P3B1P/4N4/3RC4/4A4/2BK1A3 b - - 0 1",
    "2ba1kr2/4ac3/1c2b4/1C2C4/3N5/pnB2R3/4P3P/4B4/2p1A4/3AK4 w - - 0 1",
    "2bakabr1/9/2n2cn2/p1N1p3p/3r5/2P3BC1/P3P1c1P/3C2N2/4A4/1RBAK2R1 w - - 0 1",
    "3ak1b2/4a4/4b4/p3p3p/3c2n1n/4P4/P5R2/2N1BA3/4A4/2B1K4 w - - 0 1",
    "1N1nka3/2P1a4/1c2bc2R/p2rp1r1p/6p2/9/P3P1P1P/C5N2/9/1RBAKAB2 w - - 0 1",
    "4kab2/3na4/c3bc2n/1rp3p2/4N3p/C1P3PR1/P3P3P/3RB1N2/3rA4/2BCKA3 b - - 0 1",
    "1rbak4/4a4/1c2b4/pR2p3p/8c/2P3B2/P3P2rP/1C4N1R/9/2BAKA3 w - - 0 1",
    "4kabr1/4a4/4b4/p2n2R1p/6p2/4C1P2/Pcp1P1c1P/C3B1N2/3rN4/1R1AKAB2 w - - 0 1",
    "2bak2r1/4a4/nC1cb1n1c/p1p1p1C1p/5r3/2PR2P2/P3P3P/N3B1N2/9/1R1AKAB2 b - - 0 1",
    "2bak4/4a4/3cbc3/pR1R4p/3r2p2/2P6/P3P1n1P/C5N2/2N1A2r1/2B1KAB2 b - - 0 1",
    // Endings.
    "9/3ka4/3a5/3R5/9/P7P/9/4B4/4A4/2B1KA3 w - - 0 1",
    "4k4/9/3a1a3/4cC3/9/3N2B2/9/4BA3/2n1A2p1/5K3 b - - 0 1",
    "1R2k1b2/9/4b3n/9/9/9/5rp2/3AB4/4A4/4K1B2 b - - 0 1",
    "3ak4/4a4/b8/7c1/2b6/7R1/3r5/4B4/4A4/4KAB2 b - - 0 1",
    "4ca3/5k3/3a2N2/9/1P7/P8/8P/8B/3K5/2c6 w - - 0 1",
    "4kab2/4a4/4b2P1/p3C4/9/9/1N7/3A5/2r1A4/3K5 b - - 0 1",
    "3ak4/4a4/b8/2R2PN2/2r6/1p1p5/9/9/4A4/4KA3 w - - 0 1",
    "4k4/2c1a4/b3Pa2b/9/7r1/2PC5/9/4BR3/4K4/3A5 w - - 0 1",
    // Sharp: cannons without screens to hide behind, mating attacks on both sides.
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1",
    "1r1k5/9/9/4c4/R8/2N6/9/9/9/3AK1B2 w - - 0 1",
];
